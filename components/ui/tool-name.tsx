import { Fragment } from 'react'

/** Shows the name of a tool, which may break after its underscores. */
export function ToolName({ name }: { name: string }) {
  return name.split(/(?<=_)(?!_)/).map((part, at, parts) => (
    <Fragment key={parts.slice(0, at + 1).join('')}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
