package weir;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import weir.cluster.Cluster;
import weir.feature.Features;
import weir.feature.NeedsFeature;
import weir.io.Io;
import weir.plan.ClusterSpec;
import weir.probe.Sampler;
import weir.time.MachineClock;

/** The checks that the code follows the picture in docs/napkin.md. A new arrow needs a decision record. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NapkinTest {
    /** Released after the tests of this class, because it takes a tenth of the memory of the tests. */
    private final JavaClasses weir = new ClassFileImporter()
            .importUrl(Cluster.class.getProtectionDomain().getCodeSource().getLocation());

    /** The packages, and the other packages that each may use. */
    private static final Map<String, List<String>> ARROWS = rows("docs/napkin.md", "package");

    /** The features, and the other features that each may use. Each may use all packages outside of features. */
    private static final Map<String, List<String>> FEATURES = rows("docs/napkin.md", "feature");

    /** The sub-packages, and the sub-packages that each may use; {@code .} is the package itself. */
    private static final Map<String, List<String>> ROOMS = rows("docs/rooms.md", "sub-packages of ");

    private static final int MOST_FILES = 40;

    private static final int MOST_LINES_OF_A_FILE = 500;

    /** The lines that the main code of a feature may have. A feature that was larger at first may only shrink. */
    private static final int MOST_LINES_OF_A_FEATURE = 3_000;

    private static final Map<String, Integer> LARGER_FEATURES =
            Map.of("http", 4_230, "hosts", 3_190, "delivery", 3_120, "kubernetes", 3_110);

    /** The lines that the main code outside of features may have: lower this when it shrinks. */
    private static final int MOST_LINES_OF_THE_SPINE = 85_300;

    private static final int MOST_WORDS = 800;

    /** Words with which a Javadoc describes a thing instead of naming it. */
    private static final Pattern NAMELESS = Pattern.compile("/\\*\\*[\\s*]*(What|Whether|Of|Those)\\b[^\\n]*");

    /** A library, and the only packages of Weir that may use it. */
    private static final Map<String, List<String>> FENCES = Map.ofEntries(
            from(
                    "org.apache.kafka",
                    "load.client cluster feature.http feature.delivery wire load.wire feature.monitor feature.maintenance"
                            + " feature.shape"),
            from("org.HdrHistogram", "measure"),
            from("io.netty", "http feature.http feature.delivery"),
            from("io.prometheus", "feature.metrics"),
            from("picocli", "cli feature"),
            from("org.snakeyaml", "plan"),
            from("io.fabric8", "feature.kubernetes"),
            from("one", "feature.profile"),
            from("org.apache.avro", "feature.schema"),
            from("com.google.protobuf", "feature.schema"),
            from("com.fasterxml.jackson", "plan results worker cli feature.http feature.schema event"));

    @Test
    void everyPackageIsOnTheNapkin() {
        classes()
                .should(satisfy("stand in a package of the napkin", (type, events) -> {
                    if (!ARROWS.containsKey(home(type)) && !isFeature(type) && !isRegistry(type)) {
                        events.add(violated(type, type.getName() + " is in no package of the napkin"));
                    }
                }))
                .allowEmptyShould(true)
                .check(weir);
    }

    @Test
    @NeedsFeature
    void everyTypeToReadFirstExists() {
        List<String> types = weir.stream().map(JavaClass::getSimpleName).toList();
        for (String page : List.of("docs/napkin.md", "docs/rooms.md")) {
            assertThat(lines(page)
                            .map(line -> line.split(" *\\| *", -1))
                            .filter(cells -> cells.length == 6)
                            .flatMap(cells -> Pattern.compile("`(\\w+)`")
                                    .matcher(cells[3])
                                    .results()
                                    .map(type -> type.group(1))))
                    .as(page)
                    .hasSizeGreaterThan(30)
                    .isSubsetOf(types);
        }
    }

    @Test
    void dependenciesFollowTheArrows() {
        classes()
                .should(satisfy("follow the arrows", (type, events) -> {
                    List<String> allowed = ARROWS.get(home(type));
                    if (allowed == null) {
                        return;
                    }
                    for (Dependency use : type.getDirectDependenciesFromSelf()) {
                        JavaClass used = use.getTargetClass();
                        boolean ours = used.getPackageName().startsWith("weir.")
                                && !List.of("time", "io").contains(home(used));
                        if (ours
                                && !isRegistry(used)
                                && !home(used).equals(home(type))
                                && !allowed.contains(home(used))) {
                            events.add(violated(use, use.getDescription()));
                        }
                    }
                }))
                .allowEmptyShould(true)
                .check(weir);
    }

    @Test
    void aFeatureUsesNoFeatureThatItDoesNotDeclare() {
        classes()
                .that(resideInAPackage("weir.feature.."))
                .should(satisfy("use the rooms and the declared features", (type, events) -> {
                    for (Dependency use : type.getDirectDependenciesFromSelf()) {
                        JavaClass used = use.getTargetClass();
                        boolean allowed = !isFeature(used)
                                || room(used).equals(room(type))
                                || FEATURES.getOrDefault(room(type), List.of()).contains(room(used))
                                || type.getName().equals("weir.feature.Features");
                        if (!allowed) {
                            events.add(violated(use, use.getDescription()));
                        }
                    }
                }))
                .check(weir);
    }

    @Test
    void everyFeatureIsRegisteredAndDeclared() {
        List<String> registered = Features.ALL.stream()
                .map(feature -> feature.name().replace("weir.feature.", ""))
                .toList();
        assertThat(registered).doesNotHaveDuplicates().isSubsetOf(FEATURES.keySet());
        assertThat(weir.stream().filter(type -> home(type).equals("feature") && !isRegistry(type)))
                .allSatisfy(type -> assertThat(registered).contains(room(type)));
    }

    @Test
    void roomsFollowTheirArrowsToo() {
        classes()
                .that()
                .resideInAnyPackage(ROOMS.keySet().stream()
                        .map(room -> "weir." + room.replaceFirst("\\..*", ".."))
                        .toArray(String[]::new))
                .should(satisfy("use the rooms below only", (type, events) -> {
                    List<String> allowed = ROOMS.getOrDefault(home(type) + "." + room(type), List.of("no such room"));
                    for (Dependency use : type.getDirectDependenciesFromSelf()) {
                        JavaClass used = use.getTargetClass();
                        boolean same = home(used).equals(home(type))
                                && used.getPackageName().startsWith("weir.");
                        String room = room(used).isEmpty() ? "." : room(used);
                        if (same && !room(used).equals(room(type)) && !allowed.contains(room)) {
                            events.add(violated(use, use.getDescription()));
                        }
                    }
                }))
                .check(weir);
    }

    @Test
    void probesDoNotUseTheHostPackage() {
        noClasses()
                .that()
                .resideInAPackage("weir.probe..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("weir.host")
                .check(weir);
    }

    @Test
    void onlyMachineClockReadsSystemClocks() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(MachineClock.class)
                .should()
                .accessTargetWhere(target(nameMatching("nanoTime|currentTimeMillis"))
                        .and(target(owner(type(System.class))))
                        .or(target(nameMatching("now|system.*")).and(target(owner(resideInAPackage("java.time"))))))
                .check(weir);
    }

    /** Every time of a run is a time of its lab's clock. Another machine knows this clock only by conversion. */
    @Test
    void timesOfARunComeFromTheClockOfItsLab() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "weir.plan..",
                        "weir.pace..",
                        "weir.measure..",
                        "weir.load..",
                        "weir.search..",
                        "weir.results..",
                        "weir.judge..",
                        "weir.report..",
                        "weir.run",
                        "weir.run.disturbance..")
                .or()
                .belongToAnyOf(Sampler.class)
                .or()
                .haveNameMatching("weir\\.worker\\.AssignmentRunner(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(MachineClock.class)
                .check(weir);
    }

    @Test
    void noFolderIsLargerThanAScreen() {
        Map<String, Integer> files = new TreeMap<>();
        weir.stream()
                .filter(JavaClass::isTopLevelClass)
                .forEach(type -> files.merge(type.getPackageName(), 1, Integer::sum));
        assertThat(files).allSatisfy((folder, count) -> assertThat(count).isLessThanOrEqualTo(MOST_FILES));
    }

    @Test
    void noFileFeatureOrSpineIsLargerThanItsLimit() throws IOException {
        Path root = Path.of("src/main/java/weir");
        Path features = root.resolve("feature");
        Map<String, Integer> lines = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                int count = Files.readAllLines(file).size();
                assertThat(count).as("lines of %s", file).isLessThanOrEqualTo(MOST_LINES_OF_A_FILE);
                Path home = file.getParent();
                boolean spine = !home.startsWith(features) || home.equals(features);
                lines.merge(spine ? "" : features.relativize(home).getName(0).toString(), count, Integer::sum);
            }
        }
        assertThat(lines).hasSizeGreaterThan(1);
        lines.forEach((feature, count) -> assertThat(count)
                .as(
                        "lines of %s, see docs/decisions/0063-sizes-have-limits.md",
                        feature.isEmpty() ? "the spine" : feature)
                .isLessThanOrEqualTo(
                        feature.isEmpty()
                                ? MOST_LINES_OF_THE_SPINE
                                : LARGER_FEATURES.getOrDefault(feature, MOST_LINES_OF_A_FEATURE)));
    }

    @Test
    void theNapkinFitsOnOnePage() {
        assertThat(lines("docs/napkin.md")
                        .flatMap(line -> Pattern.compile("[^\\s|]*\\p{L}[^\\s|]*")
                                .matcher(line)
                                .results()))
                .hasSizeBetween(MOST_WORDS / 2, MOST_WORDS);
    }

    @Test
    void librariesAreUsedOnlyInTheirPackages() {
        FENCES.forEach((library, homes) -> noClasses()
                .that()
                .resideOutsideOfPackages(homes.stream()
                        .map(home -> home.contains(".") ? "weir." + home : "weir." + home + "..")
                        .toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library + "..")
                .allowEmptyShould(true)
                .check(weir));
    }

    /** Only the makers of clusters know the form of a cluster. All other code asks {@code Cluster} or its spec. */
    @Test
    void clustersAreNotTestedWithInstanceof() {
        classes()
                .that()
                .resideOutsideOfPackages("weir.cluster..", "weir.plan.read..")
                .should(satisfy(
                        "ask a cluster instead of looking at its form",
                        (type, events) -> type.getInstanceofChecks().forEach(check -> {
                            JavaClass form = check.getRawType();
                            if (form.isAssignableTo(Cluster.class) || form.isAssignableTo(ClusterSpec.class)) {
                                events.add(violated(
                                        type, type.getName() + " asks whether it is a " + form.getSimpleName()));
                            }
                        })))
                .check(weir);
    }

    @Test
    void packagesHaveNoGenericNames() {
        noClasses()
                .should()
                .resideInAnyPackage(
                        "..util..", "..common..", "..core..", "..impl..", "..model..", "..service..", "..manager..")
                .check(weir);
    }

    @Test
    void noTwoClassesShareASimpleName() {
        Map<String, List<String>> byName = new TreeMap<>();
        weir.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .forEach(type -> byName.computeIfAbsent(type.getSimpleName(), name -> new ArrayList<>())
                        .add(type.getName()));
        assertThat(byName).allSatisfy((name, types) -> assertThat(types).hasSize(1));
    }

    /** A test of a feature is removed with the feature. {@code make same} compares answers of all features. */
    @Test
    void testsOutsideOfFeaturesImportNone() throws IOException {
        Path tests = Path.of("src/test/java/weir");
        try (Stream<Path> files = Files.walk(tests)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java")
                            && !file.startsWith(tests.resolve("feature"))
                            && !file.endsWith("SameAnswers.java")))
                    .allSatisfy(file -> assertThat(Files.readString(file))
                            .doesNotContainPattern("import (static )?weir\\.feature\\.[a-z]+\\."));
        }
    }

    @Test
    void javadocsBeginWithWhatTheyName() throws IOException {
        List<String> nameless = new ArrayList<>();
        for (Path root : List.of(Path.of("src/main/java"), Path.of("src/test/java"))) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    NAMELESS.matcher(Files.readString(file))
                            .results()
                            .forEach(found -> nameless.add(file + ": " + found.group()));
                }
            }
        }
        assertThat(nameless).isEmpty();
    }

    @Test
    void decisionsAreNumberedWithoutAGap() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("docs/decisions"))) {
            int number = 0;
            for (Path file : files.sorted().toList()) {
                String expected = "%04d".formatted(++number);
                assertThat(file.getFileName().toString()).startsWith(expected + "-");
                assertThat(Files.readAllLines(file).get(0)).startsWith("# " + expected + " ");
            }
        }
    }

    /** Reads the tables of a page whose first heading begins with {@code heading}, such as "sub-packages of plan". */
    private static Map<String, List<String>> rows(String page, String heading) {
        Map<String, List<String>> rows = new TreeMap<>();
        String of = "another table";
        for (String line : lines(page).toList()) {
            String[] cells =
                    line.replaceAll("`|weir\\.", "").replace("(itself)", ".").split(" *\\| *", -1);
            if (cells.length == 6 && cells[4].equals("may use")) {
                of = cells[1].startsWith(heading) ? cells[1].substring(heading.length()) : "another table";
            } else if (cells.length == 6 && !of.equals("another table") && !cells[1].startsWith("-")) {
                for (String name : cells[1].split(", ", -1)) {
                    List<String> allowed = cells[4].equals("–") ? List.of() : List.of(cells[4].split(" ", -1));
                    rows.put(of.isEmpty() ? name : of + "." + name.replace(".", ""), allowed);
                }
            }
        }
        return rows;
    }

    private static Stream<String> lines(String page) {
        return Io.attempt("reading " + page, () -> Files.readAllLines(Path.of(page))).stream();
    }

    private static Map.Entry<String, List<String>> from(String name, String others) {
        return entry(name, others.isEmpty() ? List.of() : List.of(others.split(" ")));
    }

    private static boolean isFeature(JavaClass type) {
        return FEATURES.containsKey(room(type)) && home(type).equals("feature");
    }

    /** Every package may use the registry of features, because its API names no feature. */
    private static boolean isRegistry(JavaClass type) {
        return type.getPackageName().equals("weir.feature");
    }

    /** Returns the part after {@code weir.}; sub-packages belong to their parent. */
    private static String home(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.", 3);
        return parts.length < 2 ? "" : parts[1];
    }

    /** Returns the part after {@link #home}; empty in the package itself. */
    private static String room(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.", 4);
        return parts.length < 3 ? "" : parts[2];
    }

    private interface Check {
        void on(JavaClass type, ConditionEvents events);
    }

    private static ArchCondition<JavaClass> satisfy(String description, Check check) {
        return new ArchCondition<>(description) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                check.on(type, events);
            }
        };
    }
}
