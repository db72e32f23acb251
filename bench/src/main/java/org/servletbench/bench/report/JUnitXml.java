package org.servletbench.bench.report;

import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.servletbench.bench.report.Claims.Claim;

/**
 * Verdicts in the format in which CI servers read test results. It contains neither times nor host, so that the same
 * verdicts give the same bytes.
 */
public final class JUnitXml {
    /** Name of the suite if there is no campaign. */
    private static final String EARLY = "servlet-bench";

    private JUnitXml() {}

    /** Outcome of a testcase; its name in lower case is the XML element. */
    public enum Outcome {
        PASSED,
        FAILURE,
        SKIPPED,
        ERROR
    }

    /**
     * A testcase.
     *
     * @param where class name of the testcase
     * @param words reason for its outcome
     */
    public record Case(String where, String what, Outcome outcome, String words) {}

    /**
     * Returns a testcase for each claim: a failure if something became slower that must not; skipped if it is
     * inconclusive, because nothing was shown; an error if the campaign is void.
     */
    public static String of(Claims claims) {
        return of("servlet-bench " + claims.name(), cases(claims, "").toList());
    }

    /** Returns the test cases of a campaign, with an error if the campaign did not complete. */
    public static String of(Outcomes outcomes) {
        String name = "servlet-bench " + outcomes.claims().name();
        String undecided = outcomes.early().isPresent() || outcomes.analysis().isSilent()
                ? ""
                : "; " + new GateWords(outcomes).undecided();
        return of(
                name,
                Stream.concat(
                                cases(outcomes.claims(), undecided),
                                outcomes.early().map(early -> early(name, early)).stream())
                        .toList());
    }

    /** Returns only the error, because there is no campaign. */
    public static String of(Early early) {
        return of(EARLY, List.of(early(EARLY, early)));
    }

    private static Case early(String where, Early early) {
        return new Case(where, "the campaign came to its end", Outcome.ERROR, early.why());
    }

    /** @param undecided text after the sentence of an undecided claim */
    private static Stream<Case> cases(Claims claims, String undecided) {
        return claims.claims().stream()
                .map(claim -> new Case(
                        claim.where(),
                        claim.what(),
                        outcome(claims, claim),
                        claims.isVoid()
                                ? claims.why()
                                : claim.sentence() + (claim.isStated() && claim.open() ? undecided : "")));
    }

    private static Outcome outcome(Claims claims, Claim claim) {
        return claims.isVoid()
                ? Outcome.ERROR
                : claim.fails() ? Outcome.FAILURE : claim.open() ? Outcome.SKIPPED : Outcome.PASSED;
    }

    /** Returns a suite of these test cases. */
    public static String of(String name, List<Case> cases) {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
            write(name, cases, xml);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return out.append('\n').toString();
    }

    private static void write(String name, List<Case> cases, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeCharacters("\n");
        xml.writeStartElement("testsuite");
        attribute(xml, "name", name);
        attribute(xml, "tests", Integer.toString(cases.size()));
        attribute(xml, "failures", count(cases, Outcome.FAILURE));
        attribute(xml, "errors", count(cases, Outcome.ERROR));
        attribute(xml, "skipped", count(cases, Outcome.SKIPPED));
        for (Case one : cases) {
            xml.writeCharacters("\n  ");
            xml.writeStartElement("testcase");
            attribute(xml, "classname", one.where);
            attribute(xml, "name", one.what);
            if (one.outcome == Outcome.PASSED) {
                xml.writeStartElement("system-out");
                xml.writeCharacters(plain(one.words));
            } else {
                xml.writeStartElement(one.outcome.name().toLowerCase(Locale.ROOT));
                attribute(xml, "message", one.words);
            }
            xml.writeEndElement();
            xml.writeEndElement();
        }
        xml.writeCharacters("\n");
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private static String count(List<Case> cases, Outcome outcome) {
        return Long.toString(
                cases.stream().filter(one -> one.outcome == outcome).count());
    }

    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, plain(value));
    }

    /**
     * Replaces control characters, unpaired surrogates and U+FFFE, which XML cannot contain even if they are escaped.
     */
    private static String plain(String text) {
        return Html.plain(text).replaceAll("[\\ud800-\\udfff\\ufffe\\uffff]", "?");
    }
}
