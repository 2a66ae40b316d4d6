-- pgbench repeats this script. The transaction holds the row of the article while it computes.
BEGIN;
UPDATE stock SET pieces = pieces + 1 WHERE article = 1;
SELECT sum(sqrt(i)) FROM generate_series(1, 60000) i;
COMMIT;
\sleep 200 ms
