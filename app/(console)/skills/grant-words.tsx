import { VisibleText } from '@/components/trace/visible-text'
import type { SkillGrant } from '@/lib/toolset/configuration-skills'

/**
 * What skills together say about tools, as one sentence; `whose` begins it: "This skill grants". `idle` are names of
 * skills that list tools but do not count now.
 */
export function GrantWords({
  whose,
  grant,
  idle = [],
}: {
  whose: string
  grant: SkillGrant
  idle?: readonly string[]
}) {
  if (grant.granted === null && idle.length === 0) {
    return <p>{whose} whatever the other gates allow: nothing is listed under allowed-tools.</p>
  }
  return (
    <>
      {grant.granted === null ? (
        <p>{whose} whatever the other gates allow.</p>
      ) : (
        <Granted whose={whose} grant={{ ...grant, granted: grant.granted }} />
      )}
      {idle.length > 0 && <Idle names={idle} isLimited={grant.granted !== null} />}
    </>
  )
}

function Idle({ names, isLimited }: { names: readonly string[]; isLimited: boolean }) {
  const [list, do_, their] = names.length === 1 ? ['lists', 'does', 'its'] : ['list', 'do', 'their']
  return (
    <p className="text-warning">
      <ToolNames names={names} /> {list} tools{isLimited && ' too'} but {do_} not count now
      {!isLimited && `, so ${their} limit is gone`}.
    </p>
  )
}

function Granted({ whose, grant }: { whose: string; grant: SkillGrant & { granted: string[] } }) {
  return (
    <>
      <p>
        {whose} <ToolNames names={grant.granted} />
        {grant.granted.length > 0 && ', and only where the other gates allow it'}.
      </p>
      {grant.unknown.length > 0 && (
        <p className="text-warning">
          No tool here is called <ToolNames names={grant.unknown} />: that counts for nothing.
        </p>
      )}
    </>
  )
}

/** Names as code, "no tools" for none. */
export function ToolNames({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <strong className="font-semibold">no tools</strong>
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <code className="rounded-sm bg-surface-2 px-1 py-px font-mono text-mono [overflow-wrap:anywhere]">
        <VisibleText text={name} />
      </code>
    </span>
  ))
}
