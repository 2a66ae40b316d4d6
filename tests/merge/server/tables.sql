-- The orders of a customer are far from each other, so each of them is on another page.
CREATE TABLE stock (article int PRIMARY KEY, pieces int);
INSERT INTO stock VALUES (1, 1000000);
CREATE TABLE orders (id int, customer int, price int, remark text);
INSERT INTO orders SELECT i, i % 800, i % 97, repeat('x', 400) FROM generate_series(1, 16000) i;
CREATE INDEX ON orders (customer);
ANALYZE;
CHECKPOINT;
