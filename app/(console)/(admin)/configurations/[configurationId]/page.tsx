import {
  listModelChoices,
  readConfigurationUses,
  readEditableConfiguration,
} from '@toolgate/server/domains/configurations/reads'
import type {
  ConfigurationUses,
  EditableConfiguration,
  ModelChoice,
} from '@toolgate/server/domains/configurations/schemas'
import { listGroupSizes } from '@toolgate/server/domains/groups/reads'
import { configurationTrust } from '@toolgate/server/toolset/policy/policy-effect'
import type { Metadata } from 'next'
import { priceOf } from '@/components/nouns/model-words'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { requireAdmin } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { ConfigurationSwitch } from '../configuration-switch'
import { readToolChoices } from '../form/read-form-choices'
import { FaultNotice, Halted } from '../halted'
import { UnpricedNotice } from '../unpriced-notice'
import { AfterUntrustedChoice } from './after-untrusted'
import { AllowedTools } from './allowed-tools'
import { Audience } from './audience'
import { ConfigurationActions } from './configuration-actions'
import { ConfigurationFacts } from './configuration-facts'
import { findConfiguration } from './find-configuration'
import { FourEyesSwitch } from './four-eyes-switch'
import { MemorySwitch } from './memory-switch'
import { Offer } from './offer'
import { SkillsSection } from './skills-section'
import { Trust } from './trust'
import { UsedBy } from './used-by'

type Props = { params: Promise<{ configurationId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findConfiguration((await params).configurationId)
  return pageTitle(name, 'Configurations')
}

export default async function ConfigurationPage({ params }: Props) {
  const ctx = await requireAdmin()
  const configuration = await findConfiguration((await params).configurationId)
  const { id, name, identifier, enabled, chain, raisedDataClass } = configuration
  const { allowedToolGroups, allowedTools } = configuration
  const allowed = { allowedToolGroups, allowedTools }
  const [groups, choices, uses, { version, form }, models] = await Promise.all([
    listGroupSizes(ctx),
    readToolChoices(ctx),
    readConfigurationUses(ctx, id),
    readEditableConfiguration(ctx, { id }),
    listModelChoices(ctx),
  ])
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
      <PageHead
        title={<VisibleText text={name} />}
        state={<ConfigurationSwitch configuration={{ id, name, enabled }} />}
        action={<Actions id={id} form={form} uses={uses} models={models} />}
      >
        <span className="flex flex-wrap items-center gap-2">
          <Badge className="font-mono">{identifier}</Badge>
          <span className="numeric text-sm">version {version}</span>
          <Halted configuration={configuration} />
          <VisibleText text={configuration.description} />
        </span>
      </PageHead>
      <Section title="Model, prompt and limits">
        <FaultNotice fault={configuration.fault} />
        <ConfigurationFacts form={form} />
        {form.costCapMicroUsd !== null && form.costCapMode === 'enforce' && (
          <UnpricedNotice chain={chainOf(form, models)} options={form.options} />
        )}
      </Section>
      <Audience configurationId={id} groups={groups} chosen={configuration.groups} />
      <AllowedTools
        key={JSON.stringify(allowed)}
        configurationId={id}
        choices={choices}
        allowed={allowed}
      />
      <Trust
        configurationId={id}
        chain={chain}
        raised={raisedDataClass}
        trust={configurationTrust(chain, raisedDataClass)}
      />
      <SkillsSection configurationId={id} configurationName={name} />
      <MemorySwitch configurationId={id} memoryInPrompt={configuration.memoryInPrompt} />
      <FourEyesSwitch configurationId={id} fourEyes={configuration.fourEyes}>
        <AfterUntrustedChoice configurationId={id} value={configuration.afterUntrusted} />
      </FourEyesSwitch>
      <Offer ctx={ctx} configurationId={id} />
      <UsedBy configurationId={id} uses={uses} />
    </PageFrame>
  )
}

function chainOf({ model, fallbacks }: EditableConfiguration['form'], models: ModelChoice[]) {
  return [model, ...fallbacks].flatMap(({ id }) => models.find((each) => each.id === id) ?? [])
}

function Actions({ id, form, uses, models }: ActionsProps) {
  const { name, identifier, enabled } = form
  const model = models.find((each) => each.id === form.model.id)
  return (
    <ConfigurationActions
      configurationId={id}
      name={name}
      identifier={identifier}
      uses={uses}
      tested={{
        model: form.model.name,
        connection: form.model.connection,
        price: model ? priceOf(model) : 'unpriced',
      }}
      untestable={untestable(enabled, model)}
    />
  )
}

type ActionsProps = { uses: ConfigurationUses; models: ModelChoice[] } & Pick<
  EditableConfiguration,
  'id' | 'form'
>

function untestable(enabled: boolean, model: ModelChoice | undefined): string | null {
  if (!enabled) return 'Switch it on to test it.'
  if (model?.enabled) return null
  return 'Switch its model and connection on to test it.'
}
