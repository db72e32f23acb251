<%@ page contentType="text/html;charset=UTF-8" %>
<html><body><ul><% for (String city : (String[]) request.getAttribute("cities")) { %><li><%= city %></li><% } %></ul></body></html>
