package shop;

import jakarta.annotation.PreDestroy;
import jakarta.servlet.http.HttpSession;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A form with a token against forged requests, and a guest book that only users who logged in with it may sign. */
@RestController
class Login {
    private static final String TOKEN = "token";
    private static final String USER = "user";

    private final Guests guests;
    private final AtomicLong sessions = new AtomicLong();
    private final AtomicLong strangers = new AtomicLong();

    Login(Guests guests) {
        this.guests = guests;
    }

    @GetMapping(path = "/login", produces = MediaType.TEXT_HTML_VALUE)
    String form(HttpSession session) {
        String token = UUID.randomUUID().toString();
        session.setAttribute(TOKEN, token);
        return "<!DOCTYPE html><form method=post><input name=user><input type=hidden name=_csrf value=\"" + token
                + "\"></form>";
    }

    @PostMapping("/login")
    ResponseEntity<Void> login(@RequestParam String user, @RequestParam("_csrf") String token, HttpSession session) {
        if (!token.equals(session.getAttribute(TOKEN))) {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN);
        }
        session.setAttribute(USER, user);
        sessions.incrementAndGet();
        return ResponseEntity.status(HttpStatus.FOUND).header("Location", "/").build();
    }

    /** Names of guests are unique: a repeated one is an error. */
    @PostMapping("/guests")
    @ResponseStatus(HttpStatus.CREATED)
    void sign(@RequestParam String name, @RequestParam("_csrf") String token, HttpSession session) {
        if (session.getAttribute(USER) == null || !token.equals(session.getAttribute(TOKEN))) {
            strangers.incrementAndGet();
            throw new ResponseStatusException(HttpStatus.FORBIDDEN);
        }
        guests.save(new Guest(name));
    }

    @GetMapping("/me")
    String me(@RequestParam("_csrf") String token, HttpSession session) {
        if (!token.equals(session.getAttribute(TOKEN))) {
            strangers.incrementAndGet();
            throw new ResponseStatusException(HttpStatus.FORBIDDEN);
        }
        return String.valueOf(session.getAttribute(USER));
    }

    /** Writes the last line of its log. */
    @PreDestroy
    void tell() {
        System.out.println("counts: " + sessions + " sessions, " + guests.count() + " guests, " + strangers + " strangers");
    }
}
