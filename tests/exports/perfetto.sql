SELECT
  (SELECT COUNT(*) FROM sched WHERE utid NOT IN (SELECT utid FROM thread WHERE is_idle)) AS runs,
  (SELECT IFNULL(SUM(dur), 0) FROM sched WHERE utid NOT IN (SELECT utid FROM thread WHERE is_idle)) AS ran_ns,
  (SELECT COUNT(*) FROM slice WHERE category = 'wait') AS waits,
  (SELECT COUNT(*) FROM slice WHERE category = 'control path') AS hops,
  (SELECT COUNT(*) FROM flow) AS arrows,
  (SELECT COUNT(*) FROM perf_sample) AS samples;
