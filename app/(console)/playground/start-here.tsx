import { Sparkles } from 'lucide-react'

/** Shows, before the first run, what happens here, and prompts that call tools of this run, if it has any. */
export function StartHere({
  examples,
  onPick,
}: {
  examples: string[]
  onPick: (prompt: string) => void
}) {
  return (
    <section
      aria-label="Start here"
      className="flex flex-col gap-3 rounded-md border border-dashed bg-surface-1 px-4 py-6"
    >
      <p className="max-w-[72ch] text-normal">
        Write a prompt and run it. Every round, tool call and denial appears here as it happens, and
        stays under Runs.{examples.length > 0 && ' To start, pick an example:'}
      </p>
      {examples.length > 0 && (
        <ul className="flex flex-col items-start gap-1">
          {examples.map((example) => (
            <li key={example}>
              <button
                type="button"
                onClick={() => onPick(example)}
                className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-left text-link transition-colors hover:bg-surface-2 pointer-coarse:min-h-10"
              >
                <Sparkles className="size-4 shrink-0" aria-hidden />
                {example}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
