import type { SkillDetail, SkillVersionView } from '@toolgate/server/domains/skills/schemas'
import Link from 'next/link'
import { DiffView } from '@/components/nouns/diff-view'
import { shortChecksum } from '@/components/nouns/skill-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { diffLines } from '@/lib/words/diff-lines'
import { formatBytes } from '@/lib/words/format'
import { GrantChange } from '../grant-change'
import { RestoreVersion } from './skill-actions'

/**
 * Shows the versions of a skill, newest first. `compared`: the one whose difference to the version before is shown.
 * `limits`: the names of configurations and tasks that only this skill limits.
 */
export function History({
  skill,
  compared,
  limits,
}: {
  skill: SkillDetail
  compared: number
  limits: readonly string[]
}) {
  return (
    <Section title="History">
      <ol className="divide-y rounded-md border bg-surface-1">
        {skill.history.map((entry, index) => (
          <Entry
            key={entry.version}
            skill={skill}
            entry={entry}
            before={skill.history[index + 1]}
            isCompared={entry.version === compared}
            limits={entry.allowedTools === null ? limits : []}
          />
        ))}
      </ol>
    </Section>
  )
}

function Entry({
  skill,
  entry,
  before,
  isCompared,
  limits,
}: {
  skill: SkillDetail
  entry: SkillVersionView
  before: SkillVersionView | undefined
  isCompared: boolean
  /** The names of configurations that no skill limits any more once this version is restored. */
  limits: readonly string[]
}) {
  const { version } = entry
  const address = isCompared ? `/skills/${skill.id}` : `/skills/${skill.id}?changes=${version}`
  const isOld = version < skill.version
  return (
    <li id={`version-${version}`} className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="numeric text-strong">Version {version}</h3>
        {version === skill.version && <Badge tone="ok">Current</Badge>}
        {version === skill.pendingVersion && <Badge tone="waiting">Waiting to be accepted</Badge>}
        <span className="text-muted text-sm">
          <RelativeTime at={entry.createdAt} /> by <VisibleText text={entry.createdByLabel} />
        </span>
        <span className="numeric text-muted text-sm">
          {formatBytes(entry.bytes)} ·{' '}
          <code className="font-mono text-mono">{shortChecksum(entry.checksum)}</code>
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {before && (
            <Button asChild size="sm">
              <Link href={address} scroll={false}>
                {isCompared ? 'Hide changes' : 'Show changes'}
                <span className="sr-only"> of version {version}</span>
              </Link>
            </Button>
          )}
          {isOld && skill.source !== 'folder' && (
            <RestoreVersion skillId={skill.id} version={version} limits={limits} />
          )}
        </span>
      </div>
      {isCompared && before && (
        <>
          <GrantChange before={before.allowedTools} after={entry.allowedTools} />
          <DiffView
            parts={diffLines(before.file, entry.file)}
            label={`What version ${version} changed`}
          />
        </>
      )}
    </li>
  )
}
