/**
 * One line of the drawing. `given`: the file that gives it as a value and the name of that value, or `HTTP`; null = the
 * station before imports it.
 */
export type Station = { file: string; given: { by: string; as: string } | null }

/** The path of one prompt as ARCHITECTURE.md draws it: to a model, to a tool, and back to the page. */
export type DrawnPath = { toModel: Station[]; toTool: Station[]; back: Station[] }

const line = /^(\d+|[a-z]) (\S+)(?:.*\(given by (\S+?)(?: as (\w+))?\))?/

/**
 * Reads the two drawings of the section "The path of one prompt". The way to a tool leaves the first one at its number.
 */
export function readDrawnPath(architecture: string): DrawnPath {
  const [, section = ''] = architecture.split('\n## The path of one prompt\n')
  const [down = '', up = ''] = [...section.matchAll(/```\n([^`]*)```/g)].map(([, text]) => text)
  const [toModel = [], other = []] = down.split('\n\n').map(stationsIn)
  const [first] = other
  const leaves = toModel.findIndex(({ number }) => number === first?.number)
  return {
    toModel: inOrder(toModel, '1'),
    toTool: inOrder([...toModel.slice(0, Math.max(0, leaves)), ...other], '1'),
    back: inOrder(stationsIn(up), 'a'),
  }
}

type Numbered = Station & { number: string }

function stationsIn(text: string | undefined): Numbered[] {
  return (text ?? '').split('\n').flatMap((each) => {
    const [, number, file, by, as = ''] = line.exec(each) ?? []
    return number && file ? [{ number, file, given: by ? { by, as } : null }] : []
  })
}

/** Throws when a number is left out or comes twice. */
function inOrder(stations: Numbered[], first: '1' | 'a'): Station[] {
  return stations.map(({ number, ...station }, index) => {
    const due = first === '1' ? String(index + 1) : String.fromCharCode(first.charCodeAt(0) + index)
    if (number !== due) throw new Error(`The drawing has ${number} where ${due} is due.`)
    return station
  })
}
