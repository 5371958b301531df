import type { ToolExplanation } from '@toolgate/server/toolset/policy/explain-tools'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import type { GateName } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'

export type AskedTool = Pick<ToolExplanation, 'name' | 'verdict'>

/** Page on which an admin can lift the refusal of a gate; the other gates do not concern a whole configuration. */
const acts: Partial<
  Record<GateName, { label: string; href: (configurationId: string) => string }>
> = {
  frozen: { label: 'Open tools', href: () => '/tools' },
  group: { label: 'Switch tools on', href: () => '/tools' },
  enabled: { label: 'Switch tools on', href: () => '/tools' },
  'trust-zone': { label: 'Allow more data', href: (id) => `/configurations/${id}#trust` },
}

/** Says before a run that no tool may be offered, why most are not, and the one act that changes it. */
export function NoTool({
  tools,
  configurationId,
}: {
  tools: readonly AskedTool[]
  configurationId: string
}) {
  const gates = tools.flatMap(({ verdict }) => (verdict.allowed ? [] : verdict.gate))
  const count = (gate: GateName) => gates.filter((each) => each === gate).length
  const [gate] = gates.toSorted((one, other) => count(other) - count(one))
  const act = (gate && acts[gate]) ?? {
    label: 'See why',
    href: (id: string) => `/configurations/${id}`,
  }
  const sample = tools.find(({ verdict }) => !verdict.allowed && verdict.gate === gate)
  return (
    <div className="flex flex-col items-start gap-2 rounded-md border border-warning/40 bg-warning-soft p-3">
      <p>
        None of {countOf(tools.length, 'tool')} may be offered.
        {sample && !sample.verdict.allowed && ` ${sample.name}: ${sample.verdict.reason}`}
      </p>
      <Button asChild size="sm">
        <Link href={act.href(configurationId)}>{act.label}</Link>
      </Button>
    </div>
  )
}
