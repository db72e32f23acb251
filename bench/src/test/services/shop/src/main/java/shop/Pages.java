package shop;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** A JSP page, which only the war contains. */
@Controller
class Pages {

    @GetMapping("/cities")
    String cities(Model model) {
        model.addAttribute("cities", Shop.CITIES);
        return "/WEB-INF/jsp/cities.jsp";
    }
}
