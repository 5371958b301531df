'use client'
import type { UsageMeasure } from '@toolgate/server/domains/usage/usage-filter'
import type { UsageStep } from '@toolgate/server/domains/usage/usage-window'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { countOf } from '@/lib/words/format'
import type { ChartSeries } from './chart-series'
import { barPaths, linePaths, niceScale, stepAfterKey } from './chart-shapes'
import { figureText, partialText, seriesColour, stepLabel } from './chart-words'

type Drawn = {
  measure: UsageMeasure
  step: UsageStep
  /** The starts of the steps, as ISO text in UTC. */
  steps: readonly string[]
  series: readonly ChartSeries[]
}

/** The most labels below the chart, and how many of them a phone shows: one of three. */
const mostLabels = 12
const onPhones = 3

/**
 * Shows usage over time once there are two steps to compare: parts stacked in bars, latency as lines. Its figures are also in the table below. The server
 * draws it, so that it is there at once. `label` says in words what it shows.
 */
export function UsageChart({ label, ...drawn }: Drawn & { label: string }) {
  const { measure, step, steps, series } = drawn
  const unpriced = series.flatMap((each) => each.unpriced ?? []).reduce(add, 0)
  if (!hasComparison(steps, series))
    return <p className="text-muted text-sm">{emptyWords(drawn, unpriced)}</p>
  const isStacked = measure !== 'latency'
  const { top, ticks } = niceScale(series, isStacked)
  const every = Math.ceil(steps.length / mostLabels)
  return (
    <figure className="flex min-w-0 flex-col gap-3 rounded-md border bg-surface-1 p-3">
      <div className="numeric relative mt-2 mr-4 mb-6 ml-20 h-56 text-muted text-xs">
        <div role="img" aria-label={label} className="absolute inset-0">
          {ticks.map((tick) => (
            <div
              key={tick}
              style={{ bottom: `${(tick / top) * 100}%` }}
              className="absolute inset-x-0 border-t"
            >
              <span className="absolute right-full -translate-y-1/2 whitespace-nowrap pr-2">
                {figureText(measure, tick)}
              </span>
            </div>
          ))}
          {steps.map(
            (at, index) =>
              index % every === 0 && (
                <span
                  key={at}
                  style={{ left: middleOf(index, steps) }}
                  className={`absolute top-full -translate-x-1/2 whitespace-nowrap pt-1.5 ${index % (every * onPhones) === 0 ? '' : 'max-sm:hidden'}`}
                >
                  {stepLabel(at, step)}
                </span>
              ),
          )}
        </div>
        <Reader {...drawn}>
          <Shapes {...drawn} top={top} isStacked={isStacked} />
        </Reader>
      </div>
      <figcaption>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {series.map((each, index) => (
            <li key={each.id} className="flex min-w-0 items-center gap-1.5">
              <Swatch colour={seriesColour(each, index)} />
              <span className="truncate">{each.label}</span>
            </li>
          ))}
        </ul>
        {unpriced > 0 && (
          <p className="mt-1 text-sm text-warning">
            {countOf(unpriced, 'request')} unpriced, not drawn.
          </p>
        )}
      </figcaption>
    </figure>
  )
}

function middleOf(index: number, steps: readonly string[]): string {
  return `${((index + 0.5) / steps.length) * 100}%`
}

/** Draws the bars or lines. The drawing is stretched to the width there is; the strokes are not. */
function Shapes({ steps, series, top, isStacked }: Drawn & { top: number; isStacked: boolean }) {
  const paths = isStacked ? barPaths(series, top) : linePaths(series, top)
  const width = isStacked ? `min(2.5rem, ${80 / steps.length}cqw)` : '2px'
  return (
    <svg
      viewBox={`0 0 ${steps.length} 1000`}
      preserveAspectRatio="none"
      aria-hidden
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      {series.map((each, index) => (
        <g key={each.id} stroke={seriesColour(each, index)} fill="none">
          <path
            d={paths[index]?.shape}
            vectorEffect="non-scaling-stroke"
            style={{ strokeWidth: width }}
          />
          {/* A stroke without length and with round ends is a dot. */}
          {!isStacked && (
            <path
              d={paths[index]?.dots}
              vectorEffect="non-scaling-stroke"
              strokeWidth={6}
              strokeLinecap="round"
            />
          )}
        </g>
      ))}
    </svg>
  )
}

/**
 * Shows the figures of the step under the pointer, or of the one that the arrow keys chose; `children` is the drawing.
 * To assistive technology it is a slider, whose value is the step with its figures.
 */
function Reader({ children, ...drawn }: Drawn & { children: React.ReactNode }) {
  const { measure, step, steps, series } = drawn
  const [chosen, setChosen] = useState<number | null>(null)
  const last = steps.length - 1
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * steps.length)
    setChosen(Math.min(Math.max(index, 0), last))
  }
  const type = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setChosen(null)
    const next = stepAfterKey(event.key, chosen, last)
    if (next === null) return
    event.preventDefault()
    setChosen(next)
  }
  const now = Math.min(chosen ?? last, last)
  const figures = figuresAt(series, now).map(
    ({ label, value, unpriced }) => `${label} ${partialText(measure, value, unpriced)}`,
  )
  const place = { '--at': middleOf(now, steps) } as CSSProperties
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Figures of the chart"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={now}
      aria-valuetext={`${stepName(steps[now], step)}: ${figures.join(', ') || 'no data'}`}
      style={place}
      className="@container absolute inset-0"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setChosen(null)}
      onKeyDown={type}
      onBlur={() => setChosen(null)}
    >
      {chosen !== null && (
        <div
          style={{ width: `${100 / steps.length}%` }}
          className="absolute inset-y-0 left-(--at) -translate-x-1/2 bg-surface-2"
        />
      )}
      {children}
      {chosen !== null && (
        <div
          className={`pointer-events-none absolute top-0 left-(--at) z-10 w-max max-w-[min(20rem,calc(50%-1rem))] max-sm:inset-x-0 max-sm:mx-auto max-sm:max-w-full ${now > last / 2 ? 'sm:-translate-x-[calc(100%+1rem)]' : 'sm:translate-x-4'}`}
        >
          <ChartTooltip {...drawn} index={now} />
        </div>
      )}
    </div>
  )
}

/** Lists the values of one step by part, in the order of the bar from the top. */
export function ChartTooltip({ measure, step, steps, series, index }: Drawn & { index: number }) {
  const shown = figuresAt(series, index).reverse()
  const sum = shown.map(({ value }) => value).reduce(add, 0)
  const unpricedSum = shown.map(({ unpriced }) => unpriced).reduce(add, 0)
  return (
    <div className="flex animate-appear flex-col gap-1 rounded-md border bg-surface-1 px-3 py-2 text-normal text-sm shadow-float">
      <p className="font-semibold text-strong">{stepName(steps[index], step)}</p>
      {shown.length === 0 && <p className="text-muted">No data</p>}
      {shown.map(({ id, label, colour, value, unpriced }) => (
        <p key={id} className="flex items-center gap-2">
          <Swatch colour={colour} />
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <span className="numeric">{partialText(measure, value, unpriced)}</span>
        </p>
      ))}
      {addsUp(measure) && shown.length > 1 && (
        <p className="flex justify-between gap-4 border-t pt-1">
          <span>Total</span>
          <span className="numeric">{partialText(measure, sum, unpricedSum)}</span>
        </p>
      )}
    </div>
  )
}

function Swatch({ colour }: { colour: string }) {
  return (
    <span className="size-2.5 shrink-0 rounded-sm" style={{ background: colour }} aria-hidden />
  )
}

/** Returns the parts that have a figure or unpriced requests in a step, from the bottom of its bar. */
function figuresAt(series: readonly ChartSeries[], index: number) {
  return series.flatMap((part, at) => {
    const { id, label } = part
    const value = part.values[index] ?? 0
    const unpriced = part.unpriced?.[index] ?? 0
    return value > 0 || unpriced > 0
      ? [{ id, label, colour: seriesColour(part, at), value, unpriced }]
      : []
  })
}

/** Returns whether at least two steps have a figure. */
function hasComparison(steps: readonly string[], series: readonly ChartSeries[]): boolean {
  return steps.filter((_, index) => series.some(({ values }) => values[index])).length > 1
}

/** Returns why nothing is drawn. */
function emptyWords({ series, step }: Drawn, unpriced: number): string {
  if (series.some(({ values }) => values.some((value) => value)))
    return `A chart needs figures of two ${step}s.`
  if (unpriced === 0) return 'No figures yet.'
  return `${countOf(unpriced, 'request')} unpriced.`
}

function add(sum: number, value: number): number {
  return sum + value
}

function stepName(at: string | undefined, step: UsageStep): string {
  if (at === undefined) return ''
  return `${stepLabel(at, step)}${step === 'hour' ? ' UTC' : ''}`
}

/** Returns whether the parts add up to the total. Runs do not: a run that used two models counts for each of them. */
function addsUp(measure: UsageMeasure): boolean {
  return measure !== 'latency' && measure !== 'runs'
}
