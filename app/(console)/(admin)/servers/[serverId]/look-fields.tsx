import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import {
  lookArgumentTexts,
  type RemoteLook,
  readLookArguments,
} from '@/lib/domains/servers/shared/remote-look'
import { Captioned, type Choice } from './tool-choice'

type Props = {
  name: string
  choice: Choice
  proposed: RemoteLook | null
  readers: readonly string[]
  onChoose: (choice: Partial<Choice>) => void
}

/** Tells a tool from the choice of none, whatever the server calls it. */
const optionOf = (tool: string | undefined) => (tool === undefined ? 'none' : `tool ${tool}`)

/** Asks which tool of the server reads what this one changes, with which arguments, and what the call writes. */
export function LookFields({ name, choice: { look }, proposed, readers, onChoose }: Props) {
  const options = [
    { value: 'none', label: 'None' },
    ...readers.map((tool) => ({ value: optionOf(tool), label: tool })),
  ]
  const change = (fields: Partial<RemoteLook>) => {
    if (look) onChoose({ look: { ...look, ...fields } })
  }
  const pick = (value: string) => {
    const tool = readers.find((reader) => optionOf(reader) === value)
    const kept = { arguments: {}, becomes: null, ...look }
    onChoose({ look: tool === undefined ? null : { ...kept, tool } })
  }
  return (
    <div className="flex max-w-[90ch] flex-col gap-2">
      <Captioned caption="Read with an accepted tool that only reads">
        <Select
          aria-label={`Tool that reads what ${name} changes`}
          className="w-72"
          value={optionOf(look?.tool)}
          options={options}
          onValueChange={pick}
        />
      </Captioned>
      {look && (
        <>
          <Captioned caption="Its arguments, as paths into the call’s">
            <LookArguments
              name={name}
              look={look}
              onChange={(given) => change({ arguments: given })}
            />
          </Captioned>
          <Captioned caption="What the call writes, as a path; empty = unknown">
            <Input
              aria-label={`What ${name} writes`}
              className="max-w-96 font-mono text-mono"
              placeholder="$.content"
              value={look.becomes ?? ''}
              onChange={({ target }) => change({ becomes: target.value.trim() || null })}
            />
          </Captioned>
        </>
      )}
      {proposed && JSON.stringify(proposed) !== JSON.stringify(look) && (
        <Button size="sm" className="w-fit" onClick={() => onChoose({ look: proposed })}>
          Use {proposed.tool}
        </Button>
      )}
    </div>
  )
}

type Arguments = {
  name: string
  look: RemoteLook
  onChange: (given: RemoteLook['arguments']) => void
}

/** Keeps what is typed, which may not be whole yet. */
function LookArguments({ name, look, onChange }: Arguments) {
  const stored = lookArgumentTexts(look).join(', ')
  const [typed, setTyped] = useState(stored)
  const isStale = lookArgumentTexts({ arguments: readTyped(typed) }).join(', ') !== stored
  return (
    <Input
      aria-label={`Arguments of the tool that reads what ${name} changes`}
      className="max-w-96 font-mono text-mono"
      placeholder="path=$.path"
      value={isStale ? stored : typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(readTyped(target.value))
      }}
    />
  )
}

function readTyped(text: string): RemoteLook['arguments'] {
  return readLookArguments(text.split(','))
}
