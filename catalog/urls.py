from django.urls import path

from catalog import book_views, views

urlpatterns = [
    path("", views.catalog, name="catalog"),
    path("additions/", views.additions, name="catalog-additions"),
    path("price-books/", book_views.price_books, name="price-books"),
    path("price-books/<int:book_id>/", book_views.price_book, name="price-book"),
    path("price-books/<int:book_id>/end/", book_views.price_book_close, name="price-book-end"),
    path(
        "price-books/<int:book_id>/rules/<int:rule_id>/end/",
        book_views.price_book_rule_close,
        name="price-book-rule-end",
    ),
    path("<slug:key_name>/", views.package, name="package"),
    path("<slug:key_name>/items/<int:item_id>/price/", views.item_price, name="item-price"),
]
