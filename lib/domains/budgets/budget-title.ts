/**
 * SQL for the title of a budget, with `b` as its row: "Daily site budget", "Monthly budget of group Support". The title
 * says when its group, person, configuration or API key no longer exists.
 */
export const budgetTitle = `
  (CASE b."window" WHEN 'day' THEN 'Daily ' ELSE 'Monthly ' END || CASE b.scope
    WHEN 'site' THEN 'site budget'
    WHEN 'group' THEN 'budget of ' ||
      coalesce('group ' || (SELECT name FROM groups WHERE id = b."scopeId"), 'a deleted group')
    WHEN 'user' THEN 'budget of ' ||
      coalesce((SELECT email FROM users WHERE id = b."scopeId"), 'a deleted person')
    WHEN 'key' THEN 'budget of ' ||
      coalesce('API key ' || (SELECT name FROM api_keys WHERE id = b."scopeId"), 'a deleted API key')
    ELSE 'budget of ' || coalesce('configuration ' ||
      (SELECT name FROM configurations WHERE id = b."scopeId"), 'a deleted configuration')
  END)`

/** SQL for when the window of budget `b` began and ends, by the database clock, in UTC (SPEC M1). */
export const windowStart = `date_trunc(b."window"::text, now() AT TIME ZONE 'UTC')`
export const windowEnd = `(${windowStart} + ('1 ' || b."window"::text)::interval)`
