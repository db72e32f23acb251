package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Invocation.ThreadTimeline;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.reproduce.PublishedRun;
import org.servletbench.bench.reproduce.PublishedServer;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Tried;

/** What was run for an article, and what it left behind. */
final class ReproducedRuns {

    private final Reproduction reproduction;
    private final Article article;
    private final List<Tried> tried;

    ReproducedRuns(Reproduction reproduction, List<Tried> tried) {
        this.reproduction = reproduction;
        article = reproduction.article();
        this.tried = tried;
    }

    /** Threads of each server over its life. */
    void threads(StringBuilder html) {
        Map<String, ThreadTimeline> servers = new LinkedHashMap<>();
        reproduction.servers().forEach(server -> servers.put(server.arm() + ", as published", server.threads()));
        for (Tried one : tried) {
            one.judgement().ifPresent(judged -> judged.campaign().arms().stream()
                    .filter(arm -> arm.role() != Arm.Role.CONTROL)
                    .forEach(arm -> judged.chosen().stream()
                            .filter(invocation -> invocation.arm().equals(arm.id()) && invocation.threads() != null)
                            .findFirst()
                            .ifPresent(invocation -> servers.put(
                                    arm.profile() + ", as it should be (" + one.settings() + "), block "
                                            + invocation.block(),
                                    invocation.threads()))));
        }
        Optional<String> charts = Curves.threads(servers);
        html.append(charts.map(
                        drawn -> "<p class='note'>Of each server over its life; the shaded span is load.</p>\n" + drawn)
                .orElse("<p>No server's threads were seen.</p>\n"));
    }

    /** Command lines, options and settings. */
    void commands(StringBuilder html) {
        html.append("<h3>The article</h3>\n");
        Stream.of(article.serverCommand(), article.command())
                .filter(command -> !command.isEmpty())
                .forEach(command -> html.append(pre(command)));
        article.serverSettings()
                .forEach((arm, settings) ->
                        html.append(text("<p class='note'>%s: %s</p>\n", escape(arm), escape(settings.toString()))));
        html.append("<h3>Here, as published</h3>\n");
        for (PublishedServer server : reproduction.servers()) {
            html.append(text("<h4>%s</h4>\n", escape(server.label())));
            if (!server.trouble().isEmpty()) {
                html.append(text("<p class='bad'>%s</p>\n", escape(server.trouble())));
                continue;
            }
            html.append(text(
                    "<p class='note'>JVM options: %s.%s</p>\n",
                    server.jvmOptions().isEmpty() ? "none" : escape(String.join(" ", server.jvmOptions())),
                    server.arguments().isEmpty()
                            ? ""
                            : " After the jar, as in the article, so that the JVM does not see them: "
                                    + escape(String.join(" ", server.arguments())) + "."));
            if (!server.settings().isEmpty()) {
                html.append("<p class='note'>Settings: ")
                        .append(escape(server.settings().toString()))
                        .append("</p>\n");
            }
            Set<String> commands = new LinkedHashSet<>();
            for (PublishedRun run : server.runs()) {
                if (!run.trouble().isEmpty()) {
                    html.append(text(
                            "<p class='bad'>%s, %d users: %s</p>\n",
                            escape(run.workload()), run.users(), escape(run.trouble())));
                } else if (commands.add(String.join(" ", run.command()))) {
                    html.append(pre(String.join(" ", run.command())));
                }
                run.notes().stream()
                        .distinct()
                        .forEach(note -> html.append(text("<p class='note'>%s</p>\n", escape(note))));
            }
        }
        tried.forEach(
                one -> one.judgement().map(Judgement::campaign).ifPresent(campaign -> shouldBe(html, campaign, one)));
    }

    private static void shouldBe(StringBuilder html, Campaign campaign, Tried one) {
        html.append(text("<h3>Here, as it should be: %s</h3>\n", escape(one.words())));
        html.append(text(
                "<p class='note'>JVM options: %s. Processors: %s. Seed %d. Every command line is among the <a href='%s/index.html#raw'>raw"
                        + " files</a> of the campaign.</p>\n",
                escape(campaign.options().getOrDefault("jvm.options", "")),
                escape(campaign.pinning()),
                campaign.plan().seed(),
                one.treatment().folder()));
        StringBuilder settings = new StringBuilder();
        campaign.options().forEach((name, value) -> {
            if (name.startsWith("setting ")) {
                settings.append(name.substring("setting ".length()))
                        .append('=')
                        .append(value)
                        .append('\n');
            }
        });
        if (!settings.isEmpty()) {
            html.append("<pre>").append(lines(settings.toString())).append("</pre>\n");
        }
    }

    private static String lines(String text) {
        return text.lines().map(Html::escape).reduce((a, b) -> a + "\n" + b).orElse("");
    }

    private static String pre(String line) {
        return "<pre tabindex='0'>" + escape(line) + "</pre>\n";
    }

    /** The way to every raw file. */
    void raw(StringBuilder html) {
        for (Treatment treatment : reproduction.campaigns().keySet()) {
            html.append(text(
                    "<p><a href='%s/index.html'>The campaign as it should be, %s</a>: every interval, every block, the native"
                            + " reports.</p>\n",
                    treatment.folder(), escape(treatment.words())));
        }
        html.append("<p><a href='claims.json'>claims.json</a> <a href='reproduction.json'>reproduction.json</a></p>\n");
        for (PublishedServer server : reproduction.servers()) {
            List<String> links = server.runs().stream()
                    .flatMap(run -> run.links().stream())
                    .distinct()
                    .toList();
            if (links.isEmpty()) {
                continue;
            }
            html.append(text("<dl class='links'><dt>%s</dt><dd>", escape(server.arm())));
            Stream.concat(Stream.of("server.log", "server.json", PublishedServer.FILE), links.stream())
                    .forEach(link -> html.append(
                            text("<a href='%s'>%s</a>\n", escape(server.folder() + "/" + link), escape(link))));
            html.append("</dd></dl>\n");
        }
    }
}
