package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.print.PrintOptions;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.MeasuredPage;

/** The only test of the page in a real browser, Debian's Chromium with Debian's driver. Nothing is downloaded. */
class PageInBrowserIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path RESULTS = Path.of(System.getProperty("bench.root"))
            .resolve("docs/results")
            .toAbsolutePath()
            .normalize();

    @TempDir
    static Path folder;

    /**
     * Logger of Selenium that warns about missing bindings for this Chromium's own protocol. We only use plain
     * commands.
     */
    private static final Logger DEVTOOLS = Logger.getLogger("org.openqa.selenium.devtools");

    private static ChromeDriver browser;
    private static Path page;

    @BeforeAll
    static void open() throws IOException {
        Optional<File> chromium = program("chromium");
        Optional<File> driver = program("chromedriver");
        if (chromium.isEmpty() || driver.isEmpty()) {
            String message = "no Chromium: apt-get install chromium chromium-driver";
            if ("true".equals(System.getenv("CI"))) {
                fail(message);
            }
            System.out.println("PageInBrowserIT skipped: " + message);
            abort(message);
        }
        DEVTOOLS.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.get());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--user-data-dir=" + folder.resolve("browser"));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        // With the path of the driver given, Selenium's own manager does not start.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.get())
                .build();
        browser = new ChromeDriver(service, options);
        browser.manage().timeouts().scriptTimeout(Duration.ofMinutes(3));

        Path campaign = folder.resolve("campaign");
        Fixture.seeded(11).oneGroup().hostile().faults().draw().write(campaign);
        Files.createDirectories(campaign.resolve("blocks/9/9-<img src=x onerror=alert(4)>"));
        Files.writeString(
                campaign.resolve("blocks/9/9-<img src=x onerror=alert(4)>/server-run.json"), "{ cut off <script>");
        page = ReportPage.of(CampaignFolder.read(campaign)).write(campaign);
    }

    private static Optional<File> program(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(place -> new File(place, name))
                .filter(File::canExecute)
                .findFirst();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    private static void show(String scheme, int width) {
        show(page, scheme, width);
    }

    private static void show(Path file, String scheme, int width) {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", width < 600));
        browser.get(file.toUri().toString());
    }

    private static Object run(String script, Object... arguments) {
        return browser.executeScript(script, arguments);
    }

    @Test
    void loadsNothingAndSaysNothingOnTheConsole() throws IOException {
        browser.manage().logs().get(LogType.BROWSER);
        browser.manage().logs().get(LogType.PERFORMANCE);
        show("light", 1280);

        List<String> requests = new ArrayList<>();
        for (LogEntry entry : browser.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = JSON.readTree(entry.getMessage()).path("message");
            if (message.path("method").asText().equals("Network.requestWillBeSent")) {
                requests.add(message.path("params").path("request").path("url").asText());
            }
        }
        assertThat(requests)
                .as("the log sees requests, and there is none but the page's own")
                .contains(page.toUri().toString())
                .allMatch(url -> url.equals(page.toUri().toString()) || url.startsWith("data:"));
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .isEmpty();
    }

    @Test
    void hostileNamesAreText() {
        show("light", 1280);

        assertThat((String) run("return document.body.innerText"))
                .contains(Fixture.HOSTILE_WORKLOAD)
                .contains("<img src=x onerror=alert(3)>")
                .contains("<img src=x onerror=alert(4)>");
        assertThat(run("return document.querySelectorAll('script').length")).isEqualTo(1L);
        assertThat(run("return document.querySelectorAll('img, iframe, object, i[onerror], [onmouseover]').length"))
                .isEqualTo(0L);
    }

    @Test
    void aScriptThatIsNotOursWouldNotRun() {
        show("light", 1280);
        // A missing escape would do the same.
        run("const s = document.createElement('div'); s.innerHTML = '<img src=x onerror=\"window.broken = 1\">';"
                + "document.body.append(s); const t = document.createElement('script'); t.textContent = 'window.broken = 2';"
                + "document.body.append(t);");

        assertThat(run("return window.broken === undefined")).isEqualTo(true);
        browser.manage().logs().get(LogType.BROWSER);
    }

    @Test
    void tablesSortByClickAndByKeyboard() {
        show("light", 1280);
        WebElement table = browser.findElement(By.cssSelector("table.sort"));
        WebElement head = table.findElements(By.cssSelector("thead th")).stream()
                .filter(th -> th.getText().startsWith("Throughput"))
                .findFirst()
                .orElseThrow();
        int column = ((Long) run("return arguments[0].cellIndex", head)).intValue();
        WebElement button = head.findElement(By.tagName("button"));

        button.click();
        assertThat(head.getDomAttribute("aria-sort")).isEqualTo("descending");
        assertThat(numbers(table, column)).isSortedAccordingTo((a, b) -> Double.compare(b, a));

        button.sendKeys(Keys.ENTER);
        assertThat(head.getDomAttribute("aria-sort")).isEqualTo("ascending");
        assertThat(numbers(table, column)).isSorted();

        button.sendKeys(Keys.SPACE);
        assertThat(head.getDomAttribute("aria-sort")).isEqualTo("descending");

        WebElement names = table.findElement(By.cssSelector("thead th button"));
        names.click();
        assertThat(head.getDomAttribute("aria-sort")).isEqualTo("none");
        assertThat(table.findElements(By.cssSelector("tbody th")))
                .extracting(load -> load.getText().lines().findFirst().orElse(""))
                .isSorted();
    }

    private static List<Double> numbers(WebElement table, int column) {
        return table.findElements(By.cssSelector("tbody tr")).stream()
                .map(row -> row.findElements(By.cssSelector("th, td")).get(column))
                .map(load -> Double.valueOf(load.getDomAttribute("data-v")))
                .toList();
    }

    @Test
    void headingsCanBeReachedWithTheTabKey() {
        show("light", 1280);
        run("document.querySelector('table.sort').closest('.scroll').focus()");
        browser.switchTo().activeElement().sendKeys(Keys.TAB);

        assertThat(browser.switchTo().activeElement().getTagName()).isEqualTo("button");
    }

    @Test
    void bothColourSchemesAreDrawn() {
        show("light", 1280);
        String light = background();
        show("dark", 1280);

        assertThat(light).isEqualTo("rgb(255, 255, 255)");
        assertThat(background()).isEqualTo("rgb(20, 24, 31)");
    }

    private static String background() {
        return (String) run("return getComputedStyle(document.body).backgroundColor");
    }

    /** The chart must be within the first 500 px on a desktop, and on the first screen of a phone. */
    @ParameterizedTest
    @ValueSource(ints = {390, 1280})
    void theChartIsOnTheFirstScreen(int width) {
        show("light", width);
        assertThat(((Number) run("return document.querySelector('.strips tbody tr').getBoundingClientRect().bottom"))
                        .doubleValue())
                .isLessThan(width == 1280 ? 500 : 800);
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 375, 390, 800, 1280})
    void nothingHangsOverTheEdge(int width) {
        show("light", width);
        run("document.querySelectorAll('details').forEach(d => { d.open = true; })");

        assertThat((Long) run("return document.documentElement.scrollWidth"))
                .as("over the edge: %s", over(width))
                .isLessThanOrEqualTo(width);
    }

    /** Returns elements that are too wide, except those that scroll in a frame of their own. */
    private static Object over(int width) {
        return run(
                "const over = []; const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);"
                        + "while (texts.nextNode()) { const range = document.createRange(); range.selectNode(texts.currentNode);"
                        + " const e = texts.currentNode.parentElement; if (!e.closest('.scroll, pre')"
                        + " && range.getBoundingClientRect().right > arguments[0]) over.push(e.outerHTML.slice(0, 300)); }"
                        + "return over.slice(0, 5);",
                width);
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNothing(String scheme) throws IOException {
        show(scheme, 1280);
        assertThat(axe()).isEmpty();
    }

    @Test
    void axeFindsNothingOnAPhoneNorInAVoidCampaign() throws IOException {
        Path campaign = folder.resolve("void");
        Path file = Fixture.seeded(12)
                .speed("tomcat-nio-control", 1.4)
                .draw()
                .page()
                .write(campaign);
        show(file, "light", 375);
        assertThat(axe()).isEmpty();
        assertThat((String) run("return document.querySelector('[role=alert]').innerText"))
                .startsWith("VOID");
        show(file.resolveSibling("group-boot3.html"), "light", 375);
        assertThat(axe()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    @Tag("full")
    void pagesOfSeveralCampaignsAreAsSound(int number) throws IOException {
        // One load of each kind, because the check takes quadratic time in the length of the page.
        List<MeasuredLoad> loads =
                List.of(new MeasuredLoad("hello", 100, 0, "gatling"), new MeasuredLoad("hello", 0, 200, "gatling"));
        SeveralCampaigns several = SeveralCampaigns.judged(
                IntStream.range(0, number)
                        .mapToObj(i -> Fixture.seeded(13 + i)
                                .named("campaign-" + i)
                                .loads(loads)
                                .hostile()
                                .draw()
                                .analysis())
                        .toList(),
                List.of("a file <b>that</b> was damaged"));
        Path file = several.write(folder.resolve("several-" + number));
        browser.manage().logs().get(LogType.BROWSER);
        show(file, "dark", 375);

        assertThat((Long) run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(375);
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
        assertThat(axe()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1280})
    void theIndexOfResultsIsAsSound(int width) throws IOException {
        for (String scheme : List.of("light", "dark")) {
            browser.manage().logs().get(LogType.BROWSER);
            show(RESULTS.resolve(ReportPage.INDEX), scheme, width);
            assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
            assertThat(axe()).isEmpty();
            assertThat((Long) run("return document.documentElement.scrollWidth"))
                    .as("over the edge: %s", over(width))
                    .isLessThanOrEqualTo(width);
            assertThat((Long) run("return document.querySelectorAll('.card').length"))
                    .isEqualTo(run("return document.querySelectorAll('.card:has(.forest)').length"))
                    .isPositive();
        }
    }

    /** Some of these pages were written by older versions, and are never rewritten. */
    @ParameterizedTest
    @ValueSource(ints = {390, 1280})
    @Tag("full")
    void pagesOfResultsAreAsSound(int width) throws IOException {
        List<Path> pages;
        try (Stream<Path> all = Files.walk(RESULTS, 2)) {
            pages = all.filter(file -> file.toString().endsWith(".html"))
                    .sorted()
                    .toList();
        }
        assertThat(pages).hasSizeGreaterThan(10);
        for (Path one : pages) {
            show(one, width == 390 ? "dark" : "light", width);
            if ((Boolean) run("return document.querySelectorAll('h1 ~ .strips').length > 0")) {
                assertThat(((Number)
                                        run(
                                                "return document.querySelector('.strips tbody tr').getBoundingClientRect().bottom"))
                                .doubleValue())
                        .as("%s: its chart is on the first screen", one)
                        .isLessThan(width == 1280 ? 500 : 800);
            }
            run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            assertThat((Long) run("return document.documentElement.scrollWidth"))
                    .as("%s, over the edge: %s", one, over(width))
                    .isLessThanOrEqualTo(width);
            assertThat(axe()).as(one.toString()).isEmpty();
        }
    }

    /** Campaigns of starts, rates, heaps and profiles, and of an article. */
    @ParameterizedTest
    @ValueSource(strings = {"starts", "rates", "heaps", "article", "layers"})
    @Tag("full")
    void pagesOfOtherQuestionsAreAsSound(String which) throws IOException {
        Path other = Files.createDirectories(folder.resolve(which));
        Path file =
                switch (which) {
                    case "starts" -> {
                        StartUpPageTest.campaign(other);
                        yield ReportPage.of(CampaignFolder.read(other)).write(other);
                    }
                    case "rates" ->
                        Fixture.seeded(5)
                                .oneGroup()
                                .loads(List.of(OtherQuestionsPageTest.SLOW, OtherQuestionsPageTest.FAST))
                                .draw()
                                .page()
                                .write(other);
                    case "layers" ->
                        LayerBarsTest.profiled(
                                        other,
                                        Map.of(
                                                "tomcat-nio", LayerBarsTest.stacks(10),
                                                "undertow", LayerBarsTest.stacks(40),
                                                "jetty", LayerBarsTest.stacks(12)))
                                .write(other);
                    case "heaps" -> OtherQuestionsPageTest.heaps().write(other);
                    default ->
                        Fixture.seeded(6)
                                .oneGroup()
                                .loads(List.of(new MeasuredLoad("hello", 400, 0, "wrk")))
                                .claims(ClaimsSectionTest.claims("published/wrk-hello"))
                                .draw()
                                .page()
                                .write(other);
                };
        for (int width : new int[] {1280, 800, 390}) {
            browser.manage().logs().get(LogType.BROWSER);
            show(file, width == 1280 ? "light" : "dark", width);
            assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
            run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            assertThat((Long) run("return document.documentElement.scrollWidth"))
                    .as("at %d over the edge: %s", width, over(width))
                    .isLessThanOrEqualTo(width);
            assertThat((Boolean) run("return [...document.querySelectorAll('.swatch, .c-bar svg')]"
                            + ".every(e => e.getBoundingClientRect().height < 30)"))
                    .as("colours and bars of layers are small")
                    .isTrue();
            assertThat((String) run("return [...document.querySelectorAll('.claim .scroll')]"
                            + ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText).join('; ')"))
                    .as("outcomes of claims that are cut off at %d", width)
                    .isEmpty();
            if (width != 800) {
                assertThat(axe()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 800, 1280})
    @Tag("full")
    void thePageOfARunIsAsSound(int width) throws IOException {
        Path run = Files.createDirectories(folder.resolve("run" + width));
        Path log = run.resolve("simulation.log");
        try (InputStream in = RawLog.class.getResourceAsStream("gatling/simulation.log")) {
            Files.copy(in, log);
        }
        Files.writeString(run.resolve("server.json"), """
                {"proven": {"container": "<b>jetty", "container.version": "1", "boot.version": "3"},
                 "warm-up": {"settled": false, "reason": "<script>alert(9)</script>", "bursts": []}}
                """);
        Path file = run.resolve("measured.html");
        Files.writeString(
                file, new MeasuredPage(List.of(new Measured(log, RawLog.of(log).measure())), Optional.empty()).html());
        for (String scheme : List.of("light", "dark")) {
            browser.manage().logs().get(LogType.BROWSER);
            show(file, scheme, width);
            assertThat((Long) run("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
            run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            assertThat((String) run("return [...document.querySelectorAll('.scroll')]"
                            + ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText).join('; ')"))
                    .as("tables that are cut off at %d", width)
                    .isEmpty();
            assertThat((String) run("return document.querySelector('.marked').innerText"))
                    .contains("<script>alert(9)</script>");
            assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
            assertThat(axe()).isEmpty();
        }
    }

    /** Unfolds everything, and returns all of axe's findings, of any level, with their places. */
    private static List<String> axe() throws IOException {
        try (InputStream in = PageInBrowserIT.class.getResourceAsStream(axeScript())) {
            run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
        String json = (String) browser.executeAsyncScript("const done = arguments[arguments.length - 1];"
                + "axe.run(document, {resultTypes: ['violations']}).then(r => done(JSON.stringify(r.violations)),"
                + " e => done(JSON.stringify([{id: String(e), impact: 'critical', nodes: []}])));");
        List<String> findings = new ArrayList<>();
        for (JsonNode violation : JSON.readTree(json)) {
            List<String> places = new ArrayList<>();
            violation.path("nodes").forEach(node -> places.add(node.path("html").asText()));
            findings.add(violation.path("id").asText() + " ("
                    + violation.path("impact").asText() + ") at " + places.size() + " places: "
                    + places.stream().limit(3).toList());
        }
        return findings;
    }

    private static String axeScript() throws IOException {
        String pom = "/META-INF/maven/org.webjars.npm/axe-core/pom.properties";
        java.util.Properties properties = new java.util.Properties();
        try (InputStream in = PageInBrowserIT.class.getResourceAsStream(pom)) {
            properties.load(in);
        }
        return "/META-INF/resources/webjars/axe-core/" + properties.getProperty("version") + "/axe.min.js";
    }

    @Test
    void itPrintsWithEverythingUnfolded() {
        show("light", 1280);
        run("window.seen = 0; addEventListener('beforeprint', () => {"
                + " window.seen = document.querySelectorAll('details:not([open])').length; window.asked = true; })");
        String pdf = browser.print(new PrintOptions()).getContent();

        assertThat(pdf).isNotEmpty();
        assertThat(run("return window.asked === true && window.seen === 0")).isEqualTo(true);
        assertThat((Long) run("return document.querySelectorAll('details:not([open])').length"))
                .as("folded again afterwards")
                .isPositive();
    }
}
