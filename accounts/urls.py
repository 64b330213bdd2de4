from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts import model_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("sign-in/", views.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("model/", model_views.model_page, name="model"),
    path("brand.css", views.brand_css, name="brand-css"),
    path("account/switch/", views.account_switch, name="account-switch"),
    path("keys/", views.api_key_list, name="api-key-list"),
    path("keys/<int:key_id>/revoke/", views.api_key_revoke_view, name="api-key-revoke"),
]
