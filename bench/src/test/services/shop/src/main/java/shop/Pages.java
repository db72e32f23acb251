package shop;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/** The cities: as a JSP page, which only the war contains, and as a short list that costs the service next to nothing. */
@Controller
class Pages {

    @GetMapping("/cities")
    String cities(Model model) {
        model.addAttribute("cities", Shop.CITIES);
        return "/WEB-INF/jsp/cities.jsp";
    }

    @GetMapping("/api/cities")
    @ResponseBody
    String[] list() {
        return Shop.CITIES;
    }
}
