package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** JMeter's plans as XML, read, changed and written so that unchanged parts stay as they were, including blanks. */
final class PlanXml {

    private PlanXml() {}

    /**
     * @throws UsageException if the file cannot be read, or is not XML
     */
    static Document parse(Path file) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            // The default handler prints to the console.
            builder.setErrorHandler(new DefaultHandler());
            try (InputStream in = Files.newInputStream(file)) {
                return builder.parse(in);
            }
        } catch (SAXParseException e) {
            throw new UsageException(
                    file + " is not a JMeter plan: line " + e.getLineNumber() + ": " + firstLine(e.getMessage()));
        } catch (SAXException e) {
            throw new UsageException(file + " is not a JMeter plan: " + firstLine(e.getMessage()));
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + firstLine(e.getMessage()) + ")");
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Patterns of the text of properties that JMeter parses as it loads a plan, by element. */
    private static final Map<String, Pattern> TYPED = Map.of(
            "intProp", Pattern.compile("[+-]?\\d{1,10}"),
            "longProp", Pattern.compile("[+-]?\\d{1,19}"),
            "floatProp", Pattern.compile("[+-]?[\\d.]+([eE][+-]?\\d+)?"),
            "doubleProp", Pattern.compile("[+-]?[\\d.]+([eE][+-]?\\d+)?"),
            "boolProp", Pattern.compile("true|false"));

    private static final String TREE = "hashTree";

    /**
     * Finds errors with which JMeter would fail to load a plan, with a message that names neither file nor line.
     *
     * @throws UsageException for the first error, with file, line and what to write there
     */
    static void requireLoadable(Path file) {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            Deque<Open> open = new ArrayDeque<>();
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    Open element = new Open(
                            xml.getLocalName(),
                            xml.getAttributeValue(null, "name"),
                            xml.getLocation().getLineNumber());
                    if (!open.isEmpty()) {
                        open.peek().begins(element, file);
                    }
                    open.push(element);
                } else if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
                    open.peek().text.append(xml.getText());
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    open.pop().ends(file);
                }
            }
        } catch (XMLStreamException e) {
            throw new UsageException(file + " is not a JMeter plan: " + firstLine(e.getMessage()));
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + firstLine(e.getMessage()) + ")");
        }
    }

    /** An element that has begun, and its text so far. */
    private static final class Open {
        private final String tag;
        private final String property;
        private final int line;
        private final StringBuilder text = new StringBuilder();
        /** In a tree: the last element, until its own tree has come. */
        private Open waiting;

        Open(String tag, String property, int line) {
            this.tag = tag;
            this.property = property;
            this.line = line;
        }

        /** Checks the element that begins. In a tree, an element is followed by the tree below it. */
        void begins(Open child, Path file) {
            boolean isTree = child.tag.equals(TREE);
            if (isTree && !tag.equals(TREE) && !tag.equals("jmeterTestPlan")) {
                throw unloadable(
                        file,
                        child.line,
                        "a hashTree within " + tag + " (line " + line + "): JMeter wants it after </" + tag
                                + ">, next to the element");
            }
            if (!tag.equals(TREE)) {
                return;
            }
            if (isTree && waiting == null) {
                throw unloadable(file, child.line, "a hashTree without an element before it");
            }
            if (!isTree && waiting != null) {
                throw unloadable(
                        file,
                        child.line,
                        child.tag + " follows " + waiting.tag + " (line " + waiting.line
                                + ") without a hashTree between them: write <hashTree/> after </" + waiting.tag + ">");
            }
            waiting = isTree ? null : child;
        }

        void ends(Path file) {
            Pattern wanted = TYPED.get(tag);
            String value = text.toString().strip();
            if (wanted != null && !wanted.matcher(value).matches()) {
                throw unloadable(
                        file,
                        line,
                        tag + " " + property + " is '" + Text.shown(value) + "', and JMeter "
                                + (tag.equals("boolProp") ? "takes that for false" : "wants a number there")
                                + ": write a stringProp, which may hold an expression");
            }
        }

        private static UsageException unloadable(Path file, int line, String why) {
            return new UsageException(file + ", line " + line + ": " + why);
        }
    }

    private static String firstLine(String text) {
        return String.valueOf(text).lines().findFirst().orElse("");
    }

    /**
     * @throws LoadException if the file cannot be written
     */
    static void write(Document document, Path file) {
        try {
            Transformer transformer = TransformerFactory.newInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
            document.setXmlStandalone(true);
            transformer.transform(new DOMSource(document), new StreamResult(file.toFile()));
        } catch (TransformerException e) {
            throw new LoadException("cannot write " + file + " (" + e.getMessage() + ")");
        }
    }

    /** An element of the plan and the tree below it, which is its next sibling in the file. */
    record Branch(Element element, Element tree) {

        static Branch of(Element element) {
            Node next = element.getNextSibling();
            while (!(next instanceof Element)) {
                next = next.getNextSibling();
            }
            return new Branch(element, (Element) next);
        }

        String name() {
            return element.getAttribute("testname");
        }

        Branch copy(UnaryOperator<String> change) {
            Element newElement = (Element) element.cloneNode(true);
            Element newTree = (Element) tree.cloneNode(true);
            rewrite(newElement, change);
            rewrite(newTree, change);
            return new Branch(newElement, newTree);
        }

        void detach() {
            remove(element);
            remove(tree);
        }
    }

    static void replace(List<Branch> old, List<Branch> wanted) {
        Node place = old.get(0).element();
        Node parent = place.getParentNode();
        Node indent = place.getPreviousSibling();
        for (Branch branch : wanted) {
            for (Element one : List.of(branch.element(), branch.tree())) {
                parent.insertBefore(one, place);
                parent.insertBefore(indent.cloneNode(false), place);
            }
        }
        old.forEach(Branch::detach);
    }

    static Stream<Element> descendants(Element root, String tag) {
        List<Element> found = new ArrayList<>();
        var nodes = root.getElementsByTagName(tag);
        for (int i = 0; i < nodes.getLength(); i++) {
            found.add((Element) nodes.item(i));
        }
        return found.stream();
    }

    static void text(Element parent, String property, String value) {
        descendants(parent, "stringProp")
                .filter(one -> one.getAttribute("name").equals(property))
                // An unchanged value is left alone, so that the file stays as it was. Descriptions may be missing,
                // because the GUI drops them.
                .filter(one -> !one.getTextContent().equals(value))
                .forEach(one -> one.setTextContent(value));
    }

    private static void rewrite(Node node, UnaryOperator<String> change) {
        if (node.getNodeType() == Node.TEXT_NODE) {
            node.setNodeValue(change.apply(node.getNodeValue()));
        }
        if (node instanceof Element element && element.hasAttribute("testname")) {
            element.setAttribute("testname", change.apply(element.getAttribute("testname")));
        }
        for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
            rewrite(child, change);
        }
    }

    static void insertAfter(Element one, Element place) {
        Node parent = place.getParentNode();
        Node indent = place.getPreviousSibling().cloneNode(false);
        Node next = place.getNextSibling();
        parent.insertBefore(indent, next);
        parent.insertBefore(one, next);
    }

    /** Removes an element and the blank line that it would leave. */
    static void remove(Element element) {
        Node before = element.getPreviousSibling();
        if (before != null
                && before.getNodeType() == Node.TEXT_NODE
                && before.getNodeValue().isBlank()) {
            before.getParentNode().removeChild(before);
        }
        element.getParentNode().removeChild(element);
    }
}
