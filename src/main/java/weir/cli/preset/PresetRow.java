package weir.cli.preset;

import java.util.LinkedHashMap;
import java.util.Map;
import weir.plan.property.PresetProperty;

/**
 * One property of a preset beside what it is elsewhere; empty texts where there is nothing to show.
 *
 * @param effective what the client makes of the preset
 * @param yours the value in the user's file, hidden if it is a secret
 * @param yoursEffective what the client makes of that file
 * @param there the values of the brokers of a cluster
 * @param held whether those are what the preset asks for
 */
record PresetRow(
        PresetProperty property,
        String byDefault,
        String effective,
        String yours,
        String yoursEffective,
        String there,
        boolean held) {
    Map<String, Object> json(boolean cluster) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("of", property.side().word());
        row.put("name", property.name());
        row.put("value", property.value());
        row.put("other", property.other());
        row.put("set by", property.by().word());
        row.put("default", byDefault);
        row.put("effective", effective);
        row.put("yours", yours);
        row.put("effective of yours", yoursEffective);
        if (cluster && property.side() == PresetProperty.Side.BROKER) {
            row.put("there", there);
            row.put("held", held);
        }
        row.put("why", property.why());
        row.put("costs", property.costs());
        row.put("dated", property.dated());
        return row;
    }
}
