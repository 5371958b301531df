/** Tables that hold no decisions, so any statement may write them: `Undecided` in `lib/kernel/db.ts`. */
export const undecidedTables: ReadonlySet<string> = new Set(
  `alert_deliveries approval_notices budget_alerts budget_counters budget_reservations call_records call_rollups call_spans
  connection_failures connection_health file_contents file_versions instances log_entries native_answers policy_version rule_counts run_events run_messages run_web_uses runs sign_in_failures sign_in_notices site_checks tool_starts usage_records
  usage_rollups usage_spans`.split(/\s+/),
)
