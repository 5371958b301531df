import {
  type BackupsOfServer,
  type ListedBackup,
  readBackups,
} from '@toolgate/server/domains/backups/read-backups'
import { Archive } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { PageRefresh } from '@/components/shell/queries'
import { CopyButton } from '@/components/ui/copy-button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorNotice } from '@/components/ui/error-notice'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { requireAdmin } from '@/lib/next/require-user'
import { formatBytes } from '@/lib/words/format'
import { BackupForm } from './backup-form'
import { DeleteBackup } from './delete-backup'
import { LastOutcome } from './last-outcome'

export const metadata: Metadata = { title: 'Backups' }

/** Shows the backups of this server and what came of the last one, and begins another one. */
export default async function BackupsPage() {
  const ctx = await requireAdmin()
  const backups = await readBackups(ctx)
  const { folder, running, schedule, files, moreFiles, unreadable } = backups
  return (
    <PageFrame kind="detail">
      <PageRefresh everyMs={running ? 2_000 : null} />
      <PageHead title="Backups">All of this site in one file.</PageHead>
      <div className="flex max-w-160 flex-col gap-3" role="status">
        <LastOutcome {...backups} />
      </div>
      {!running && (
        <Section title="Back up now">
          <BackupForm />
        </Section>
      )}
      <Section title="Schedule">
        <p className="max-w-[72ch] text-muted">
          {scheduleWords(schedule)}{' '}
          <Link href="/settings#backups" className="text-link underline underline-offset-2">
            Change the schedule
          </Link>
        </p>
      </Section>
      <Section title="Files">
        <Command what="folder" text={folder} />
        <p className="max-w-[72ch] text-muted">
          No browser can download them: copy them to another machine.
        </p>
        {unreadable !== null && (
          <ErrorNotice title="The folder cannot be read">{unreadable}</ErrorNotice>
        )}
        {unreadable === null && files.length === 0 && (
          <EmptyState icon={Archive} title="No backups yet">
            The first one appears here.
          </EmptyState>
        )}
        <ul className="flex flex-col gap-2">
          {files.map((file) => (
            <BackupItem key={file.name} file={file} />
          ))}
        </ul>
        {moreFiles > 0 && <p className="text-muted">And {moreFiles} older ones.</p>}
      </Section>
      {files[0] && (
        <Section title="Restore">
          <p className="max-w-[72ch] text-muted">
            Into a new, empty data folder. The restored site is frozen.
          </p>
          <Command
            what="check"
            text={`bin/toolgate restore --verify ${pathOf(folder, files[0])}`}
          />
          <Command
            what="restore"
            text={`TOOLGATE_DATA_DIR=/srv/restored bin/toolgate restore ${pathOf(folder, files[0])}`}
          />
        </Section>
      )}
    </PageFrame>
  )
}

function BackupItem({ file }: { file: ListedBackup }) {
  const { name, bytes, header, hasKey, isScheduled, checkedAt, by, isDeleted } = file
  return (
    <li className="flex items-start gap-2 rounded-md border bg-surface-1 p-3">
      <div className="min-w-0 flex-1">
        <p className="font-mono text-mono text-strong [overflow-wrap:anywhere]">{name}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
          {header ? (
            <>
              <RelativeTime at={header.at} />
              <span>{formatBytes(bytes)}</span>
              <span>{hasKey ? 'with the vault key' : 'without the vault key'}</span>
              <span>
                version {header.product}, {header.migrations.length} migrations
              </span>
              <span>{isScheduled ? 'scheduled' : (by ?? 'not from this site’s audit')}</span>
              {checkedAt !== null && <StatePill state="ok">Whole when written</StatePill>}
              {checkedAt === null && <StatePill state="warning">Not checked</StatePill>}
            </>
          ) : (
            <StatePill state="error">No backup that can be read</StatePill>
          )}
          {isDeleted && <StatePill state="warning">Its deletion did not finish</StatePill>}
        </p>
      </div>
      <DeleteBackup name={name} />
    </li>
  )
}

/** Shows a text to copy into a terminal. */
function Command({ what, text }: { what: string; text: string }) {
  return (
    <div className="flex items-start gap-2">
      <code className="min-w-0 rounded-md bg-surface-2 px-2 py-1 font-mono text-mono [overflow-wrap:anywhere]">
        {text}
      </code>
      <CopyButton text={text} what={what} />
    </div>
  )
}

function scheduleWords(schedule: BackupsOfServer['schedule']): string {
  if (schedule === null) {
    return 'No backup is scheduled.'
  }
  const { words, kept } = schedule
  return `${words}. The newest ${kept} are kept, without the vault key: keep it elsewhere.`
}

/** Returns the path as a shell takes it. */
function pathOf(folder: string, { name }: ListedBackup): string {
  const path = `${folder}/${name}`
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
