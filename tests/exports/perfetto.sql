SELECT
  (SELECT COUNT(*) FROM sched WHERE utid NOT IN (SELECT utid FROM thread WHERE is_idle)) AS runs,
  (SELECT IFNULL(SUM(dur), 0) FROM sched WHERE utid NOT IN (SELECT utid FROM thread WHERE is_idle)) AS ran_ns,
  (SELECT COUNT(*) FROM slice WHERE category = 'wait') AS waits,
  (SELECT COUNT(*) FROM slice WHERE category = 'control path') AS hops,
  (SELECT COUNT(*) FROM flow) AS arrows,
  (SELECT COUNT(*) FROM perf_sample) AS samples,
  (SELECT CAST(IFNULL(MAX(value), 0) AS INT) FROM counter JOIN counter_track t ON track_id = t.id
    WHERE t.name = 'lost records') AS lost,
  (SELECT COUNT(*) FROM stats WHERE severity = 'error' AND value > 0) AS errors;
