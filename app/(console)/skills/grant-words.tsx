import { VisibleText } from '@/components/trace/visible-text'
import type { SkillGrant } from '@/lib/toolset/configuration-skills'

/** What skills together say about tools, as one sentence; `whose` begins it: "This skill grants". */
export function GrantWords({ whose, grant }: { whose: string; grant: SkillGrant }) {
  if (grant.granted === null) {
    return <p>{whose} whatever the other gates allow: nothing is listed under allowed-tools.</p>
  }
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
