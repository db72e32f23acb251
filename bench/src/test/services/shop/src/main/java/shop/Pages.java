package shop;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** A page of JSP, which the war has. */
@Controller
class Pages {

    @GetMapping("/cities")
    String cities(Model model) {
        model.addAttribute("cities", Shop.CITIES);
        return "/WEB-INF/jsp/cities.jsp";
    }
}
