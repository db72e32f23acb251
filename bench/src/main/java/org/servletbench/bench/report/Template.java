package org.servletbench.bench.report;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.html.HtmlTemplateOutput;

/**
 * The templates of {@code src/main/jte}, which the build compiles to classes. Anything printed with {@code ${}} goes
 * through {@link Html#escape}. {@code $unsafe{}} is only for our own drawings, styles and composed parts.
 */
public final class Template implements HtmlTemplateOutput {
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Template.class.getClassLoader(), Template.class.getPackageName());

    private final StringBuilder html = new StringBuilder();

    private Template() {}

    /**
     * Renders a template with its only parameter.
     *
     * @param name path of its file, relative to {@code src/main/jte}, without the extension
     */
    public static String html(String name, Object model) {
        Template out = new Template();
        ENGINE.render(name + ".jte", model, out);
        return out.html.toString();
    }

    @Override
    public void setContext(String tag, String attribute) {
        // Text and quoted attributes are escaped in the same way.
    }

    @Override
    public void writeContent(String value) {
        html.append(value);
    }

    @Override
    public void writeContent(String value, int begin, int end) {
        html.append(value, begin, end);
    }

    @Override
    public void writeUserContent(String value) {
        html.append(Html.escape(value));
    }
}
