package org.servletbench.bench.report.ci;

import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.servletbench.bench.report.Claims;
import org.servletbench.bench.report.Claims.Claim;
import org.servletbench.bench.report.Html;
import org.servletbench.bench.verdict.Verdict;

/**
 * Verdicts in the form in which CI servers read test results: a testcase for each claim. A failure where something became
 * slower that may not; skipped where it is inconclusive, because then nothing was shown; an error when the campaign is
 * void. No times and no host, so that the same verdicts give the same bytes.
 */
public final class JUnitXml {
    private JUnitXml() {}

    public static String of(Claims claims) {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
            write(claims, xml);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return out.append('\n').toString();
    }

    private static void write(Claims claims, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeCharacters("\n");
        xml.writeStartElement("testsuite");
        attribute(xml, "name", "servlet-bench " + claims.name());
        attribute(xml, "tests", Integer.toString(claims.claims().size()));
        attribute(xml, "failures", count(claims, "failure"));
        attribute(xml, "errors", count(claims, "error"));
        attribute(xml, "skipped", count(claims, "skipped"));
        for (Claim claim : claims.claims()) {
            xml.writeCharacters("\n  ");
            xml.writeStartElement("testcase");
            attribute(xml, "classname", claim.where());
            attribute(xml, "name", claim.what());
            String outcome = outcome(claims, claim);
            if (outcome.isEmpty()) {
                xml.writeStartElement("system-out");
                xml.writeCharacters(plain(claim.sentence()));
            } else {
                xml.writeStartElement(outcome);
                attribute(xml, "message", claims.isVoid() ? claims.why() : claim.sentence());
            }
            xml.writeEndElement();
            xml.writeEndElement();
        }
        xml.writeCharacters("\n");
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    /** The element that tells what became of a claim; empty where all is well. */
    private static String outcome(Claims claims, Claim claim) {
        return claims.isVoid()
                ? "error"
                : claim.fails() ? "failure" : claim.verdict() == Verdict.INCONCLUSIVE ? "skipped" : "";
    }

    private static String count(Claims claims, String outcome) {
        return Long.toString(claims.claims().stream()
                .filter(claim -> outcome(claims, claim).equals(outcome))
                .count());
    }

    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, plain(value));
    }

    /** XML cannot hold control characters, unpaired surrogates and U+FFFE, however escaped. */
    private static String plain(String text) {
        return Html.plain(text).replaceAll("[\\ud800-\\udfff\\ufffe\\uffff]", "?");
    }
}
