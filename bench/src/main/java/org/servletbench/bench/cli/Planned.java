package org.servletbench.bench.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.UsageException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option of a command, declared by a line of a table.
 *
 * @param group its title in the help
 * @param key its name in the profiles; on the command line dots are dashes
 * @param label of its value; {@value #SWITCH}: true where it is given without one
 * @param description as picocli formats it: {@code %%} for a percent sign
 */
record Planned(String group, String key, String label, String description) {

    private static final String SWITCH = "true|false";

    /** @param lines {@code key | label | description}, below the title of their group */
    static List<Planned> table(String lines) {
        List<Planned> all = new ArrayList<>();
        String group = "";
        for (String line : lines.split("\n")) {
            String[] parts = line.strip().replaceAll(" +", " ").split(" \\| ", 3);
            if (parts.length == 1) {
                group = line;
            } else {
                all.add(new Planned(group, parts[0], parts[1], parts[2]));
            }
        }
        return List.copyOf(all);
    }

    String name() {
        return "--" + key.replace('.', '-');
    }

    OptionSpec.Builder builder() {
        OptionSpec.Builder option =
                OptionSpec.builder(name()).type(String.class).paramLabel(label).description(description);
        return label.equals(SWITCH) ? option.arity("0..1").fallbackValue("true") : option;
    }

    /**
     * What was given, by {@link #key}; several values of one option with line breaks between.
     *
     * @throws UsageException if a value is empty, as that of an empty variable of a shell
     */
    static Map<String, String> given(CommandSpec command, List<Planned> all) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Planned one : all) {
            OptionSpec option = command.findOption(one.name());
            Object value = option == null ? null : option.getValue();
            if (value != null) {
                String text = value instanceof List<?> many
                        ? String.join("\n", many.stream().map(Object::toString).toList())
                        : value.toString();
                if (text.isBlank()) {
                    throw new UsageException(one.name() + " has an empty value");
                }
                given.put(one.key(), text);
            }
        }
        return given;
    }
}
