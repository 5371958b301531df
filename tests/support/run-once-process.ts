import { runOnce } from './run-once'

/** Runs one program as its argument says, and prints the answer. */
const [root, command, mebibytes, disk] = JSON.parse(process.argv[2] ?? '')
console.log(JSON.stringify(await runOnce(root, command, mebibytes, disk)))
