import type { BackupsOfServer, LastAttempt } from '@toolgate/server/domains/backups/read-backups'
import { TriangleAlert } from 'lucide-react'
import { ErrorNotice } from '@/components/ui/error-notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { formatBytes } from '@/lib/words/format'

type Outcome = Pick<BackupsOfServer, 'running' | 'hasUnfinished' | 'last'>

/** Says that a backup is being written, or what came of the last one. */
export function LastOutcome({ running, hasUnfinished, last }: Outcome) {
  if (running) {
    return (
      <p className="flex flex-wrap items-center gap-2">
        <StatePill state="running">Running</StatePill>
        <span>
          since <RelativeTime at={running.since} />
          {running.bytes !== null && `, ${formatBytes(running.bytes)} so far`}. You may leave this
          page.
        </span>
      </p>
    )
  }
  return (
    <>
      {hasUnfinished && (
        <p className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3 text-sm">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />A backup is
          unfinished. Another installation may still write it.
        </p>
      )}
      <LastAttemptLine last={last} />
    </>
  )
}

function LastAttemptLine({ last }: { last: LastAttempt | null }) {
  if (last === null) return null
  if (last.type === 'failed') {
    return (
      <ErrorNotice title="The last backup failed">
        {last.cause} <RelativeTime at={last.at} /> by {last.by}.
      </ErrorNotice>
    )
  }
  return (
    <p className="[overflow-wrap:anywhere]">
      <StatePill state="ok">Done</StatePill> <RelativeTime at={last.at} /> by {last.by}:{' '}
      {formatBytes(last.bytes)}, {last.hasKey ? 'with' : 'without'} the vault key, {last.file}
      {last.isDeleted && '. It was deleted since.'}
    </p>
  )
}
