def test_server_has_the_options(fake):
    assert fake.view()["holds"]["users"] == 7
    fake.seed("demo:users=3,events=5")


def test_server_begins_anew_for_each_test(fake, fake_server):
    assert fake.view()["holds"]["users"] == 7
    assert fake is fake_server
