<?php
// A customer orders, so the stock has one piece less. The page shows the customer's orders, which are not in
// PostgreSQL's memory, and the customer with the largest orders.
$shop = pg_pconnect('host=/run/postgresql user=postgres dbname=postgres');
pg_query($shop, 'UPDATE stock SET pieces = pieces - 1 WHERE article = 1');
$own = pg_query_params($shop, 'SELECT count(*), sum(price) FROM orders WHERE customer = $1', [(int)$_GET['customer']]);
[$count, $sum] = pg_fetch_row($own);
$most = pg_query($shop, 'SELECT customer, sum(price) FROM orders GROUP BY customer ORDER BY 2 DESC LIMIT 1');
[$best] = pg_fetch_row($most);
echo "customer $_GET[customer]: $count orders, $sum; customer $best orders most\n";
