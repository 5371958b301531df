import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { readMonthOfTool, type ToolUsage } from '@toolgate/server/domains/usage/reads'
import { listToolCalls } from '@toolgate/server/runs/lists/tool-calls'
import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { readToolReach } from '@toolgate/server/toolset/tools/tool-reach'
import type { Metadata } from 'next'
import Link from 'next/link'
import { ChangeTrial } from '@/app/(console)/(admin)/change-trial'
import { isOn } from '@/components/nouns/tool-filter'
import { PageHead } from '@/components/shell/page-head'
import { PageRefresh } from '@/components/shell/queries'
import { Fact } from '@/components/ui/fact'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { ToolName } from '@/components/ui/tool-name'
import { requireAdmin } from '@/lib/next/require-user'
import { formatCount, formatDuration } from '@/lib/words/format'
import { pageTitle } from '@/lib/words/page-title'
import { withSwitchers } from '../named-tools'
import { ToolDetails } from '../tool-details'
import { SwitchSource, ToolBadges } from '../tool-parts'
import { findTool } from './find-tool'
import { LastCalls } from './last-calls'
import { ToolApproval } from './tool-approval'
import { ToolLimit } from './tool-limit'
import { Reach } from './tool-reach'
import { ToolActions, ToolSwitch } from './tool-switch'
import { TryTool } from './try-tool'

type Props = { params: Promise<{ toolName: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findTool((await params).toolName)
  return pageTitle(name, 'Tools')
}

export default async function ToolPage({ params }: Props) {
  const ctx = await requireAdmin()
  const found = await findTool((await params).toolName)
  const [tool = found] = await withSwitchers([found])
  const { name } = tool
  const [usage, calls, configurations, reach] = await Promise.all([
    readMonthOfTool(ctx, name),
    listToolCalls(ctx, { name }),
    listConfigurations(ctx),
    readToolReach(ctx, name),
  ])
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
      <PageHead
        title={
          <code className="font-mono">
            <ToolName name={name} />
          </code>
        }
        state={<ToolSwitch tool={tool} />}
        action={<ToolActions tool={tool} />}
      >
        <span className="flex flex-wrap items-center gap-2">
          Group {tool.group} <ToolBadges tool={tool} />
          {tool.server !== undefined && (
            <Link
              href={`/servers/of/${encodeURIComponent(tool.name)}`}
              className="text-link hover:underline"
            >
              Review
            </Link>
          )}
        </span>
      </PageHead>
      <dl className="grid max-w-4xl grid-cols-2 gap-4 md:grid-cols-4">
        <Fact label="Set by">
          {tool.unavailable === null ? <SwitchSource tool={tool} /> : tool.unavailable}
        </Fact>
        <Fact label="Tokens a request">{formatCount(tool.schemaTokens)}</Fact>
        <Figures usage={usage} lastAt={calls[0]?.at} />
      </dl>
      <Section id="approval" title="Approval">
        <ToolApproval tool={tool} />
      </Section>
      <Section title="What models are told">
        <ToolDetails tool={tool} />
      </Section>
      <Section title={isOn(tool) ? 'Allowed by' : 'Allowed by, once it is on'}>
        <Reach reach={reach} />
      </Section>
      <Section id="limit" title="Limits">
        <ToolLimit tool={tool} />
      </Section>
      <Section title={tool.enabled ? 'If it was off' : 'If it was on'}>
        <ChangeTrial draft={{ tools: [{ name, enabled: !tool.enabled }] }} />
      </Section>
      {tool.unavailable === null && (
        <Section title="Try it">
          <TryTool
            name={name}
            parameters={tool.parameters}
            example={tool.example}
            configurations={configurations.map(({ id, name }) => ({ id, name }))}
          />
        </Section>
      )}
      <Section title="Last calls" action={<MoreCalls tool={tool} />}>
        <LastCalls calls={calls} />
      </Section>
      <PageRefresh everyMs={null} />
    </PageFrame>
  )
}

/** Shows how its calls of the last 30 days went. */
function Figures({ usage, lastAt }: { usage: ToolUsage | null; lastAt: string | undefined }) {
  if (!usage) {
    return (
      <Fact label="Calls in 30 days">
        None
        {lastAt && (
          <>
            , last <RelativeTime at={lastAt} />
          </>
        )}
      </Fact>
    )
  }
  const { calls, failed, denied, invalid, p95Ms } = usage
  return (
    <>
      <Fact label="Calls in 30 days">{formatCount(calls)}</Fact>
      <Fact label="Failed, denied, invalid">
        {formatCount(failed)}, {formatCount(denied)}, {formatCount(invalid)}
      </Fact>
      {p95Ms !== null && <Fact label="p95">{formatDuration(p95Ms)}</Fact>}
      {lastAt && (
        <Fact label="Last call">
          <RelativeTime at={lastAt} />
        </Fact>
      )}
    </>
  )
}

function MoreCalls({ tool }: { tool: ToolListing }) {
  const name = encodeURIComponent(tool.name)
  return (
    <span className="flex gap-4 text-sm">
      <Link href={`/runs?tool=${name}`} className="text-link hover:underline">
        Runs
      </Link>
      <Link href="/usage?by=tool" className="text-link hover:underline">
        Usage
      </Link>
    </span>
  )
}
