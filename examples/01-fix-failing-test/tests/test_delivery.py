import unittest

from shop.delivery import delivery_cost


class DeliveryCost(unittest.TestCase):
    def test_a_small_order_pays_for_delivery(self):
        self.assertEqual(delivery_cost(500), 300)

    def test_an_order_of_2500_is_delivered_free(self):
        self.assertEqual(delivery_cost(2500), 0)

    def test_an_order_below_zero_is_refused(self):
        with self.assertRaises(ValueError):
            delivery_cost(-1)


if __name__ == "__main__":
    unittest.main()
