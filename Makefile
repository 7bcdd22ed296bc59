# make help says what there is.
# Not -q: it would hide the warnings that -Werror fails on.
MAVEN = MAVEN_OPTS="$$MAVEN_OPTS -Dorg.slf4j.simpleLogger.defaultLogLevel=warn" mvn -B -ntp
VERSION = $(shell sed -n 's|^  <version>\(.*\)</version>|\1|p' pom.xml)
DIST = weir-$(VERSION)
section = @printf '\n== %s\n' '$(1)'

.DEFAULT_GOAL := help
.PHONY: help demo test tools checks without clocks format fast tarball it it-kubernetes grafana alone experiments nightly summary fix golden claims same mutants microbench bench dist image site prose

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

demo: ## start a Kafka, load it and open the report (90 seconds after the build)
	@./weir quick

test: tools checks without tarball it experiments summary ## everything that has to be green before a push

tools:
	@.ci/tools

# The format is checked while the compiler, which uses one core, is at work. It is checked offline, as two Mavens must not download the
# same things at once: where its own are not there yet, and where it finds something, it is done again.
checks:
	$(call section,format + static analysis + fast tests)
	@mkdir -p target
	@$(MAVEN) -o spotless:check > target/format.log 2>&1 & format=$$!; \
		trap "kill $$format 2> /dev/null; exit 130" INT TERM; \
		$(MAVEN) test; code=$$?; \
		wait $$format || $(MAVEN) spotless:check || exit 1; exit $$code

without: ## remove two features, and their users, and run the tests beside what they extend (SEED=1 for the same two, ALL=1 for each with all tests)
	$(call section,the rest without a feature)
	@TESTS=$(if $(ALL),,near) .ci/without

clocks:
	$(call section,fast tests that turn a clock, just after boot and long after it)
	@.ci/clocks

format:
	$(call section,format)
	@$(MAVEN) spotless:check

fast: ## compile with every check on, and run the tests that need no broker
	$(call section,static analysis and fast tests)
	@$(MAVEN) test

it: ## run the tests on real brokers (IT=ClusterIT for one)
	$(call section,real brokers)
	@./weir cluster fetch 4.4.0 > /dev/null
	@$(MAVEN) test-compile failsafe:integration-test failsafe:verify '-Dit.test=$(or $(IT),*IT)' $(if $(IT),-Dreal.excluded=)

alone: ## run the tests on real brokers that need the machine to themselves, and the long ones
	$(call section,real brokers: one test at a time)
	@./weir cluster fetch 4.4.0 > /dev/null
	@$(MAVEN) test-compile failsafe:integration-test failsafe:verify \
		'-Dreal.groups=alone | long' -Dreal.excluded= -Dreal.parallel=1
	@.ci/summary

it-kubernetes: ## run in a Kubernetes that is made for it, or in that of KUBECONFIG with IMAGE; .ci/kubernetes/bed
	$(call section,Kubernetes)
	@.ci/kubernetes/test

grafana: ## read the dashboards with Grafana's own types; needs Go
	$(call section,dashboards)
	@cd .ci/grafana && nice go run . $(CURDIR)/deploy/grafana/dashboards/*.json

tarball:
	$(call section,distribution)
	@.ci/dist

experiments: ## run one file of experiments/ for each ability, in its short form (ALL=1 for every file)
	$(call section,experiments)
	@.ci/experiments

nightly: ## what takes too long for every push: long tests, all short forms, a Kubernetes, all worlds, each feature removed (CI: NIGHTLY=1)
	@ALL=1 $(MAKE) --no-print-directory alone experiments it-kubernetes claims clocks without

summary:
	$(call section,summary)
	@.ci/summary

fix: ## lay out the code
	@$(MAVEN) spotless:apply

golden: ## write golden files again; read the diff before you commit it
	@$(MAVEN) test -Dgolden=renew
	@git --no-pager diff --stat

claims: ## run the fast tests that are long, then statistics and damaged input in as many worlds as their claims are made for (two minutes; before a release)
	$(call section,long fast tests and all worlds)
	@$(MAVEN) -Dquick test-compile surefire:test -Dfast.groups=long -Dfast.excluded=
	@$(MAVEN) -Dquick surefire:test -Dfast.excluded= \
		-Dtest='ProposalsTest,SpoiltFilesTest,ScalingFitTest,ChangePointsTest,LevelChangeTest,HelloTest,RemoteHostTest,HostileEventsTest' \
		-Dtune.worlds=100 -Dspoilt.files=2000 -Dfit.all=true -Dtrend.histories=2000 -Dhostile=100000

same: ## record the answers of this build to a folder (RECORD=DIR, with FOLDERS of experiments and runs), or list what differs there now (WITH=DIR)
	@$(MAVEN) -Dquick test-compile dependency:build-classpath -Djars.scope=test \
		-Dmdep.outputFile=target/test.classpath
	@.ci/same $(if $(RECORD),record '$(RECORD)' $(FOLDERS),with '$(WITH)')

mutants: ## plant faults and see which the fast tests catch (ONLY=Welch for some, JOBS=2 at a time)
	@$(MAVEN) -Dquick test-compile dependency:build-classpath -Djars.scope=test \
		-Dmdep.outputFile=target/test.classpath
	@java -cp "target/test-classes:target/classes:$$(cat target/test.classpath)" weir.Mutants $(or $(JOBS),1) $(ONLY)

microbench: ## run the JMH benchmarks (ONLY=Recorder for some)
	@$(MAVEN) -Dquick -Pmicrobench test-compile dependency:build-classpath \
		-Dmdep.outputFile=target/microbench.classpath
	@java -cp "target/microbench-classes:target/classes:$$(cat target/microbench.classpath)" \
		org.openjdk.jmh.Main -prof gc $(ONLY)

site: ## build the documents as a site, target/site/index.html
	@.ci/site

prose: ## list the sentences that break a rule of style (make checks holds that there is none)
	@java src/test/java/weir/Prose.java

bench: ; @./bench/run ## compare with Kafka's tools and other clients (an hour); docs/explanation/benchmarks.md

dist: ## make target/weir-VERSION.tar.gz, which needs only a Java runtime
	@./weir --version
	@rm -rf target/dist && mkdir -p target/dist/$(DIST)/lib
	@cp $$(ls target/launcher/lib/*.jar | grep -v /weir-) target/dist/$(DIST)/lib/
	@cp target/launcher/lib/$$(cat target/launcher/built) target/dist/$(DIST)/lib/$(DIST).jar
	@cp -R weir experiments LICENSE $(wildcard README.md CHANGELOG.md docs deploy Dockerfile) target/dist/$(DIST)/
	@tar -C target/dist --owner=0 --group=0 -czf target/$(DIST).tar.gz $(DIST)
	@ls -sh target/$(DIST).tar.gz

image: dist ## make target/weir-image.tar (BASE=tar://FILE or any image with Java 17; NAME=registry/weir:1, KAFKA=4.4.0 to have its jars in it)
	@mkdir -p target/dist/image/var/lib/weir target/dist/image/usr/local/bin
	@printf '#!/bin/sh\nexec /opt/weir/weir "$$@"\n' > target/dist/image/usr/local/bin/weir
	@if [ -n "$(KAFKA)" ]; then .ci/image-kafka $(KAFKA); fi
	@$(MAVEN) -Dquick compiler:compile jib:buildTar $(if $(BASE),-Dimage.base=$(BASE)) $(if $(NAME),-Dimage.name=$(NAME))
	@ls -sh target/weir-image.tar
