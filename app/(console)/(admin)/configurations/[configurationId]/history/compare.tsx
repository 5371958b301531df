import { readConfigurationVersion } from '@toolgate/server/domains/configurations/version-verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import Form from 'next/form'
import { DifferenceList } from '@/components/nouns/difference-list'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Input } from '@/components/ui/input'
import { Section } from '@/components/ui/section'
import {
  diffConfigurations,
  emptyListWords,
} from '@/lib/domains/configurations/shared/configuration-differences'

type Props = {
  ctx: Ctx
  configurationId: string
  /** The current version. */
  latest: number
  from: number | undefined
  to: number | undefined
}

/** Shows the differences of any two versions, field by field. */
export async function Compare({ ctx, configurationId, latest, from, to }: Props) {
  const number = { type: 'number', min: 1, max: latest, className: 'numeric w-24' } as const
  return (
    <Section title="Compare">
      <Form
        action={`/configurations/${configurationId}/history`}
        className="flex flex-wrap items-end gap-2"
      >
        <label htmlFor="from" className="flex flex-col gap-1">
          From
          <Input
            {...number}
            id="from"
            name="from"
            key={from}
            defaultValue={from ?? Math.max(1, latest - 1)}
          />
        </label>
        <label htmlFor="to" className="flex flex-col gap-1">
          To
          <Input {...number} id="to" name="to" key={to} defaultValue={to ?? latest} />
        </label>
        <Button type="submit">Compare</Button>
      </Form>
      {from !== undefined && to !== undefined && (
        <Differences ctx={ctx} configurationId={configurationId} from={from} to={to} />
      )}
    </Section>
  )
}

async function Differences({
  ctx,
  configurationId,
  from,
  to,
}: {
  ctx: Ctx
  configurationId: string
  from: number
  to: number
}) {
  const [before, after] = await Promise.all(
    [from, to].map((version) => readForm(ctx, configurationId, version)),
  )
  if (!before || !after) {
    return (
      <ErrorNotice title="Version not found">
        Version {before ? to : from} does not exist. Pick one below.
      </ErrorNotice>
    )
  }
  const differences = diffConfigurations(before, after)
  if (differences.length === 0) {
    return <p>No differences.</p>
  }
  return (
    <DifferenceList
      differences={differences}
      sides={[`Version ${from}`, `Version ${to}`]}
      emptyWords={emptyListWords}
    />
  )
}

/** Returns the form of a version; null = there is no such version. */
async function readForm(ctx: Ctx, configurationId: string, version: number) {
  try {
    return (await readConfigurationVersion(ctx, configurationId, version)).form
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
