package weir.cli.doctor;

/** A public document that a rule comes from: its name with the section, and where to read it. */
record AdviceSource(String name, String url) {
    private static final String KAFKA = "https://kafka.apache.org/43/";

    static final AdviceSource HARDWARE = operations("Hardware and OS", "hardware-and-os");
    static final AdviceSource JAVA = operations("Java Version", "java-version");
    static final AdviceSource MONITORING = operations("Monitoring", "monitoring");
    static final AdviceSource KRAFT = operations("KRaft", "kraft");
    static final AdviceSource OPERATIONS = operations("Basic Kafka Operations", "basic-kafka-operations");
    static final AdviceSource TENANTS = operations("Multi-Tenancy", "multi-tenancy");
    static final AdviceSource REPLICATION =
            new AdviceSource("Kafka documentation, Design, Replication", KAFKA + "design/design/");
    static final AdviceSource DYNAMIC = new AdviceSource(
            "Kafka documentation, Configuration, Broker Configs, Updating Broker Configs",
            KAFKA + "configuration/broker-configs/#updating-broker-configs");
    static final AdviceSource SECURITY =
            new AdviceSource("Kafka documentation, Security, Security Overview", KAFKA + "security/security-overview/");
    static final AdviceSource UPGRADE =
            new AdviceSource("Kafka documentation, Getting Started, Upgrading", KAFKA + "getting-started/upgrade/");
    static final AdviceSource CONFLUENT = new AdviceSource(
            "Confluent Platform documentation, Running Kafka in Production",
            "https://docs.confluent.io/platform/current/kafka/deployment.html");
    static final AdviceSource CLOUDERA = new AdviceSource(
            "Cloudera documentation, Tuning Apache Kafka Performance, Virtual memory handling",
            "https://docs.cloudera.com/runtime/7.1.1/kafka-performance-tuning/topics/"
                    + "kafka-tune-broker-syslevel-virtual-memory.html");
    static final AdviceSource CANONICAL = new AdviceSource(
            "Charmed Apache Kafka documentation, Performance tuning",
            "https://documentation.ubuntu.com/charmed-kafka/3/reference/performance-tuning");
    static final AdviceSource GUIDE = new AdviceSource(
            "Kafka: The Definitive Guide, second edition, chapter 2, Virtual memory",
            "https://www.oreilly.com/library/view/kafka-the-definitive/9781492043072/ch02.html");
    static final AdviceSource KERNEL_MEMORY = new AdviceSource(
            "Linux documentation, sysctl/vm, zone_reclaim_mode",
            "https://docs.kernel.org/admin-guide/sysctl/vm.html#zone-reclaim-mode");
    static final AdviceSource KERNEL_HUGE_PAGES = new AdviceSource(
            "Linux documentation, Transparent Hugepage Support",
            "https://docs.kernel.org/admin-guide/mm/transhuge.html");
    static final AdviceSource KERNEL_GOVERNOR = new AdviceSource(
            "Linux documentation, CPU Performance Scaling, Generic Scaling Governors",
            "https://docs.kernel.org/admin-guide/pm/cpufreq.html#generic-scaling-governors");
    static final AdviceSource KERNEL_SOCKETS = new AdviceSource(
            "Linux documentation, sysctl/net, wmem_max and rmem_max",
            "https://docs.kernel.org/admin-guide/sysctl/net.html");
    static final AdviceSource DISK_FAILURE = new AdviceSource(
            "KIP-112: Handle disk failure for JBOD",
            "https://cwiki.apache.org/confluence/display/KAFKA/KIP-112%3A+Handle+disk+failure+for+JBOD");
    static final AdviceSource PARTITIONS = new AdviceSource(
            "KIP-578: Add configuration to limit number of partitions, Motivation",
            "https://cwiki.apache.org/confluence/spaces/KAFKA/pages/148641509/"
                    + "KIP-578+Add+configuration+to+limit+number+of+partitions");

    AdviceSource {
        if (name.isBlank() || !url.startsWith("https://")) {
            throw new IllegalArgumentException(
                    "a source has a name and an address that can be opened: " + name + ", " + url);
        }
    }

    /** A section of it. */
    AdviceSource section(String section) {
        return new AdviceSource(name + ", " + section, url);
    }

    /** The description of a broker's property. */
    static AdviceSource property(String name) {
        return new AdviceSource(
                "Kafka documentation, Configuration, Broker Configs, " + name,
                KAFKA + "configuration/broker-configs/#brokerconfigs_" + name);
    }

    /** The description of a topic's property. */
    static AdviceSource topic(String name) {
        return new AdviceSource(
                "Kafka documentation, Configuration, Topic Configs, " + name,
                KAFKA + "configuration/topic-configs/#topicconfigs_" + name);
    }

    private static AdviceSource operations(String section, String page) {
        return new AdviceSource("Kafka documentation, Operations, " + section, KAFKA + "operations/" + page + "/");
    }
}
