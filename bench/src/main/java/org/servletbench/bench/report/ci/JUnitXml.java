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
        count(xml, "tests", claims.claims().size());
        count(
                xml,
                "failures",
                claims.isVoid()
                        ? 0
                        : claims.claims().stream().filter(Claim::fails).count());
        count(xml, "errors", claims.isVoid() ? claims.claims().size() : 0);
        count(
                xml,
                "skipped",
                claims.isVoid()
                        ? 0
                        : claims.claims().stream().filter(JUnitXml::open).count());
        for (Claim claim : claims.claims()) {
            xml.writeCharacters("\n  ");
            xml.writeStartElement("testcase");
            attribute(xml, "classname", claim.where());
            attribute(xml, "name", claim.what());
            if (claims.isVoid()) {
                element(xml, "error", claims.why());
            } else if (claim.fails()) {
                element(xml, "failure", claim.sentence());
            } else if (open(claim)) {
                element(xml, "skipped", claim.sentence());
            } else {
                xml.writeStartElement("system-out");
                xml.writeCharacters(plain(claim.sentence()));
                xml.writeEndElement();
            }
            xml.writeEndElement();
        }
        xml.writeCharacters("\n");
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private static boolean open(Claim claim) {
        return claim.verdict() == Verdict.INCONCLUSIVE && !claim.fails();
    }

    private static void element(XMLStreamWriter xml, String name, String message) throws XMLStreamException {
        xml.writeStartElement(name);
        attribute(xml, "message", message);
        xml.writeEndElement();
    }

    private static void count(XMLStreamWriter xml, String name, long number) throws XMLStreamException {
        attribute(xml, name, Long.toString(number));
    }

    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, plain(value));
    }

    /** XML cannot hold control characters, unpaired surrogates and U+FFFE, however escaped. */
    private static String plain(String text) {
        return Html.plain(text).replaceAll("[\\ud800-\\udfff\\ufffe\\uffff]", "?");
    }
}
