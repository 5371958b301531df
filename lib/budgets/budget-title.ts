/**
 * SQL for what people call a budget, with `b` as its row: "Site, per day", "Group Support, per month". A scope that is
 * gone is named as such.
 */
export const budgetTitle = `
  (CASE b.scope
    WHEN 'site' THEN 'Site'
    WHEN 'group' THEN 'Group ' || coalesce((SELECT name FROM groups WHERE id = b."scopeId"), 'that is gone')
    WHEN 'user' THEN coalesce((SELECT email FROM users WHERE id = b."scopeId"), 'Person who is gone')
    ELSE 'Configuration ' || coalesce((SELECT name FROM configurations WHERE id = b."scopeId"), 'that is gone')
  END || ', per ' || b."window"::text)`

/** SQL for when the window of budget `b` began and ends, by the database clock, in UTC (SPEC M1). */
export const windowStart = `date_trunc(b."window"::text, now() AT TIME ZONE 'UTC')`
export const windowEnd = `(${windowStart} + ('1 ' || b."window"::text)::interval)`
