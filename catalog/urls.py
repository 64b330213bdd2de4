from django.urls import path

from catalog import views

urlpatterns = [
    path("", views.catalog, name="catalog"),
    path("additions/", views.additions, name="catalog-additions"),
    path("<slug:key_name>/", views.package, name="package"),
    path("<slug:key_name>/items/<int:item_id>/price/", views.item_price, name="item-price"),
]
