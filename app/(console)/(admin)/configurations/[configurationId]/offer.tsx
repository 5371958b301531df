import type { Ctx } from '@toolgate/server/kernel/context'
import { explainTools } from '@toolgate/server/toolset/policy/explain-tools'
import Link from 'next/link'
import { groupBy } from '@/components/group-by'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { countOf } from '@/lib/words/format'

type Props = { ctx: Ctx; configurationId: string }

/** Shows how many tools of each group a run of the signed-in admin would be offered now. Explain says why. */
export async function Offer({ ctx, configurationId }: Props) {
  const { userId } = ctx.actor
  const tools = await explainTools(ctx, { userId, configuration: configurationId, selected: null })
  const explain = (search: Record<string, string>) =>
    `/tools/explain?${new URLSearchParams({ configuration: configurationId, ...search })}`
  return (
    <Section
      id="offer"
      title="Tools offered to you"
      action={
        <Button asChild size="sm">
          <Link href={explain({})}>Explain</Link>
        </Button>
      }
    >
      <ul className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
        {[...groupBy(tools, ({ group }) => group)].map(([group, members]) => (
          <li
            key={group}
            className="flex min-h-8 items-baseline justify-between gap-3 border-b py-1"
          >
            <Link
              href={explain({ search: group })}
              className="min-w-0 text-link [overflow-wrap:anywhere] hover:underline"
            >
              {group}
            </Link>
            <span className="numeric shrink-0 text-muted text-sm">
              {members.filter(({ verdict }) => verdict.allowed).length} of{' '}
              {countOf(members.length, 'tool')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
