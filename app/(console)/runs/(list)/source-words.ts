import type { RunRow } from '@toolgate/server/runs/schemas'

/** Origin of a run, in filters and columns. */
export const sourceWords: Record<RunRow['source'], string> = {
  console: 'Console',
  api: 'API',
  cli: 'Terminal',
  schedule: 'Schedule',
  run: 'Another run',
  try: 'Try it',
  check: 'Check',
}
