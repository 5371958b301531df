import type { SkillFile } from '@toolgate/server/domains/skills/schemas'
import { Warning } from '@/components/trace/hidden-text-note'
import { VisibleText } from '@/components/trace/visible-text'
import { compareKeys, skillWarnings, toolsKeys } from '@/lib/domains/skills/shape'
import type { JsonValue } from '@/lib/protocol/tool'

const meaningful = new Set(['name', 'description'])

/** Shows every key of the front matter, including those that Toolgate does not use. */
export function FrontMatterView({
  frontMatter,
  allowedTools,
  body,
}: Pick<SkillFile, 'frontMatter' | 'allowedTools' | 'body'>) {
  const tools = new Set(toolsKeys(frontMatter))
  const entries = Object.entries(frontMatter).toSorted(([a], [b]) => compareKeys(a, b))
  return (
    <div className="flex flex-col gap-2">
      {skillWarnings({ frontMatter, allowedTools, body }).map((words) => (
        <Warning key={words} words={words} />
      ))}
      <dl className="divide-y rounded-md border bg-surface-1">
        {entries.map(([key, value]) => (
          <div key={key} className="grid gap-x-4 px-3 py-2 sm:grid-cols-[12rem_1fr]">
            <dt className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
              <VisibleText text={key} />
              {!meaningful.has(key) && !tools.has(key) && (
                <span className="font-sans text-sm"> (kept, not used)</span>
              )}
            </dt>
            <dd className="whitespace-pre-wrap font-mono text-mono text-strong [overflow-wrap:anywhere]">
              <VisibleText text={valueText(value)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Lists and maps as JSON, over several lines only where one is not enough. */
function valueText(value: JsonValue): string {
  if (typeof value === 'string') return value
  const line = JSON.stringify(value)
  return line.length <= 80 ? line : JSON.stringify(value, null, 2)
}
