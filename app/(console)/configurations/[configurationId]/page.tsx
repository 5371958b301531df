import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { PageHead } from '@/components/ui/page-head'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/auth/require-user'
import { readGovernedConfiguration } from '@/lib/configurations/read-governed-configuration'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { listGroupSizes } from '@/lib/groups/list-group-sizes'
import { configurationTrust } from '@/lib/toolset/configuration-trust'
import { listToolGroups } from '@/lib/toolset/list-tool-groups'
import { AllowedToolGroups } from './allowed-tool-groups'
import { Audience } from './audience'
import { ConfigurationFacts } from './configuration-facts'
import { EnabledSwitch } from './enabled-switch'
import { FourEyesSwitch } from './four-eyes-switch'
import { Offer } from './offer'
import { SkillsSection } from './skills-section'
import { Trust } from './trust'

export const metadata: Metadata = { title: 'Configuration' }

type Props = {
  params: Promise<{ configurationId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ConfigurationPage({ params, searchParams }: Props) {
  const ctx = await requireAdmin()
  const configuration = await findConfiguration(ctx, (await params).configurationId)
  const [groups, toolGroups, query] = await Promise.all([
    listGroupSizes(ctx),
    listToolGroups(ctx),
    searchParams,
  ])
  const { id, name, identifier, enabled, chain, raisedDataClass } = configuration
  return (
    <div className="flex max-w-300 flex-col gap-8 p-4 md:p-6">
      <PageHead
        title={<VisibleText text={name} />}
        action={<EnabledSwitch configurationId={id} name={name} enabled={enabled} />}
      >
        <span className="flex flex-wrap items-center gap-2">
          <Badge className="font-mono">{identifier}</Badge>
          <VisibleText text={configuration.description} />
        </span>
      </PageHead>
      <Anchor id="audience">
        <Audience configurationId={id} groups={groups} chosen={configuration.groups} />
      </Anchor>
      <Anchor id="tool-groups">
        <AllowedToolGroups
          key={JSON.stringify(configuration.allowedToolGroups)}
          configurationId={id}
          groups={toolGroups.map((group) => ({ name: group.name, tools: group.tools }))}
          allowed={configuration.allowedToolGroups}
        />
      </Anchor>
      <Anchor id="trust">
        <Trust
          configurationId={id}
          chain={chain}
          raised={raisedDataClass}
          trust={configurationTrust(chain, raisedDataClass)}
        />
      </Anchor>
      <Anchor id="skills">
        <SkillsSection configurationId={id} configurationName={name} />
      </Anchor>
      <Anchor id="approvals">
        <FourEyesSwitch configurationId={id} fourEyes={configuration.fourEyes} />
      </Anchor>
      <Anchor id="offer">
        <Offer ctx={ctx} configurationId={id} query={query} />
      </Anchor>
      <Section title="Model, prompt and parameters">
        <ConfigurationFacts configuration={configuration} />
      </Section>
    </div>
  )
}

async function findConfiguration(ctx: Ctx, configurationId: string) {
  try {
    return await readGovernedConfiguration(ctx, configurationId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}

/** Where the links of the gates arrive, below the page's own bar. */
function Anchor({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className="scroll-mt-16">
      {children}
    </div>
  )
}
