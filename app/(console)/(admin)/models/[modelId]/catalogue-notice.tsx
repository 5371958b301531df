'use client'
import type {
  CatalogueFact,
  CatalogueWord,
} from '@toolgate/server/domains/models/catalogue/catalogue-says'
import type { CatalogueEntry } from '@toolgate/server/domains/models/catalogue/entry'
import { BookOpen } from 'lucide-react'
import { useAct } from '@/components/forms/use-act'
import { priceText, priceWords } from '@/components/nouns/model-words'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { modelShape, toolWords } from '@/lib/domains/models/shape'
import { priceKinds } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import { effortWords } from '@/lib/protocol/parameters/parameter-values'
import { parameterLabels } from '@/lib/protocol/parameters/parameters'
import { factText } from '@/lib/shape/field-codec'
import { formatCount } from '@/lib/words/format'
import { takeOver } from '../actions'

const priceHeads: Record<CatalogueWord['prices'], string | null> = {
  none: null,
  same: 'Catalogue prices are in use.',
  missing: 'No price is set. Catalogue:',
  newer: 'Newer prices:',
  other: 'Other prices, older than the ones in use:',
}

/** Shows what the built-in catalogue says about the model. Nothing is applied without a press of a button. */
export function CatalogueNotice({ modelId, word }: { modelId: string; word: CatalogueWord }) {
  const { entry, facts, prices } = word
  const head = priceHeads[prices]
  return (
    <Card className="flex flex-col gap-3 p-3">
      <p className="flex gap-2">
        <BookOpen className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
        <span>
          <strong className="font-medium text-strong">Catalogue: {entry.name}.</strong>{' '}
          <Sources entry={entry} />
        </span>
      </p>
      {facts.length > 0 && (
        <Part
          modelId={modelId}
          part="facts"
          head="Other capabilities:"
          lines={facts.map((name) => factLine(name, entry))}
        />
      )}
      {head && entry.prices && prices === 'same' && <p className="text-muted">{head}</p>}
      {head && entry.prices && prices !== 'same' && (
        <Part modelId={modelId} part="prices" head={head} lines={priceLines(entry.prices)} />
      )}
      {entry.longPrompts && (
        <p className="numeric text-muted text-sm">{longPromptLine(entry.longPrompts)}</p>
      )}
      {entry.note && <p className="text-muted text-sm">{entry.note}</p>}
    </Card>
  )
}

function priceLines(prices: Prices): string[] {
  return priceKinds.flatMap((name) => {
    const price = prices[name]
    return price === null ? [] : [`${priceWords[name]}: ${priceText(price)}`]
  })
}

function longPromptLine({ aboveTokens, prices }: NonNullable<CatalogueEntry['longPrompts']>) {
  return `Above ${formatCount(aboveTokens)} prompt tokens: ${priceLines(prices).join(', ')}.`
}

function Part(props: {
  modelId: string
  part: 'facts' | 'prices'
  head: string
  lines: readonly string[]
}) {
  const { modelId, part, head, lines } = props
  const { busy, act } = useAct()
  const take = () =>
    act(() => takeOver({ id: modelId, part }), {
      done: part === 'prices' ? 'Prices saved' : 'Capabilities saved',
    })
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 border-t pt-3">
      <div>
        <p>{head}</p>
        <ul className="numeric flex flex-wrap gap-x-4 text-muted text-sm">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <Button size="sm" loading={busy} onClick={take}>
        Use<span className="sr-only"> these {part === 'prices' ? 'prices' : 'capabilities'}</span>
      </Button>
    </div>
  )
}

function Sources({ entry }: { entry: CatalogueEntry }) {
  return (
    <span className="text-muted">
      Read on {entry.readOn} at{' '}
      {entry.sources.map((source, index) => (
        <span key={source}>
          {index > 0 && ', '}
          <a
            href={source}
            target="_blank"
            rel="noreferrer"
            className="text-link underline-offset-2 hover:underline"
          >
            {new URL(source).hostname}
          </a>
        </span>
      ))}
      .
    </span>
  )
}

function factLine(name: CatalogueFact, entry: CatalogueEntry): string {
  switch (name) {
    case 'contextTokens':
      return `Context window: ${formatCount(entry.contextTokens ?? 0)} tokens`
    case 'maxOutputTokens':
      return `Max output: ${formatCount(entry.maxOutputTokens ?? 0)} tokens`
    case 'toolCalling':
      return toolWords[entry.toolCalling]
    case 'unsupportedParameters':
      return `Does not accept: ${entry.unsupportedParameters.map((each) => parameterLabels[each]).join(', ')}`
    case 'reasoningEfforts':
      return `Reasoning efforts: ${entry.reasoningEfforts.map((each) => effortWords[each]).join(', ')}`
    case 'structuredOutput':
    case 'vision':
    case 'reasoning':
      return `${modelShape[name].label}: ${factText(modelShape[name], entry[name])}`
    default:
      return name satisfies never
  }
}
