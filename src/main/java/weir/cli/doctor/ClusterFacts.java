package weir.cli.doctor;

import static weir.cli.doctor.AdviceRule.Judgement.unknown;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import weir.cli.doctor.AdviceRule.Judgement;
import weir.cluster.admin.ClusterSurvey;
import weir.cluster.admin.SurveyAnswer;

/** Questions that rules put to the survey of a cluster; what was refused is unknown. */
final class ClusterFacts {
    private static final int NAMED = 3;

    private ClusterFacts() {}

    /** Judges an answer, if there is one. */
    static <T> Judgement told(SurveyAnswer<T> answer, Function<T, Judgement> judge) {
        return answer.either(judge, why -> unknown("the cluster does not tell us: " + why));
    }

    /** Judges the values that brokers have of a property. */
    static Function<ClusterSurvey, Judgement> property(String name, Function<Values, Judgement> judge) {
        return survey -> told(survey.properties(), properties -> {
            SortedMap<Integer, String> values = ClusterSurvey.values(properties, name);
            return values.containsValue("") || values.isEmpty()
                    ? unknown("no value of " + name + " is told by "
                            + (values.isEmpty() ? "any broker" : brokers(having(values, ""))))
                    : judge.apply(new Values(values));
        });
    }

    private static List<Integer> having(SortedMap<Integer, String> values, String value) {
        return values.entrySet().stream()
                .filter(entry -> entry.getValue().equals(value))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** "broker 1" or "brokers 1, 2 and 5 more". */
    static String brokers(Collection<Integer> numbers) {
        return (numbers.size() == 1 ? "broker " : "brokers ")
                + some(numbers.stream().map(String::valueOf).toList());
    }

    /** The first few names, and how many more there are. */
    static String some(List<String> names) {
        String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        return names.size() > NAMED ? first + " and " + (names.size() - NAMED) + " more" : first;
    }

    static String count(int count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }

    /** The values of a property, by the broker's number; none is missing. */
    record Values(SortedMap<Integer, String> all) {
        /** One value where all agree, otherwise each with its brokers. */
        String figure() {
            Map<String, List<Integer>> by = new LinkedHashMap<>();
            all.forEach((broker, value) ->
                    by.computeIfAbsent(value, any -> new ArrayList<>()).add(broker));
            return by.size() == 1
                    ? by.keySet().iterator().next()
                    : by.entrySet().stream()
                            .map(entry -> entry.getKey() + " (" + brokers(entry.getValue()) + ")")
                            .collect(Collectors.joining(", "));
        }

        boolean any(String value) {
            return all.containsValue(value);
        }

        double least() {
            return all.values().stream().mapToDouble(Values::number).min().orElse(Double.NaN);
        }

        double most() {
            return all.values().stream().mapToDouble(Values::number).max().orElse(Double.NaN);
        }

        private static double number(String value) {
            return value.matches("-?\\d{1,19}") ? Double.parseDouble(value) : Double.NaN;
        }
    }
}
