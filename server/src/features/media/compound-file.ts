import type { FileHandle } from 'node:fs/promises'

/** Signature, sizes, and where the tables begin. */
const headerBytes = 512
const tablesInHeader = 109
/** A file of 100 MB has some 13 of them with the smallest sectors. */
const tableListsMax = 1_000
const directoryBytesMax = 4 * 1024 * 1024
const entryBytes = 128
const none = 0xffff_fff0

/** What stands directly below the root of a compound file ([MS-CFB]); empty when it cannot be read. */
export async function readRootNames(file: FileHandle): Promise<ReadonlySet<string>> {
  const header = await readAt(file, 0, headerBytes)
  const shift = header.length === headerBytes ? header.readUInt16LE(30) : 0
  if (shift !== 9 && shift !== 12) return new Set()
  const sectorBytes = 2 ** shift
  return namesBelowRoot(await readDirectory(file, header, sectorBytes))
}

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at)
  return buffer.subarray(0, bytesRead)
}

const placeOf = (sector: number, sectorBytes: number) => (sector + 1) * sectorBytes

/** The sectors of the directory, each found through the table that says which one comes next. */
async function readDirectory(file: FileHandle, header: Buffer, sectorBytes: number): Promise<Buffer> {
  const tables = await readTableList(file, header, sectorBytes)
  const perTable = sectorBytes / 4
  const read: Buffer[] = []
  let sector = header.readUInt32LE(48)
  for (let bytes = 0; sector < none && bytes < directoryBytesMax; bytes += sectorBytes) {
    read.push(await readAt(file, placeOf(sector, sectorBytes), sectorBytes))
    const table = tables[Math.floor(sector / perTable)]
    if (table === undefined) break
    const next = await readAt(file, placeOf(table, sectorBytes) + (sector % perTable) * 4, 4)
    if (next.length < 4) break
    sector = next.readUInt32LE(0)
  }
  return Buffer.concat(read)
}

/** Which sectors are tables: the first of them stand in the header, those of a large file in lists of their own. */
async function readTableList(file: FileHandle, header: Buffer, sectorBytes: number): Promise<number[]> {
  const tables = numbersIn(header.subarray(76, 76 + tablesInHeader * 4))
  let list = header.readUInt32LE(68)
  for (let lists = 0; list < none && lists < tableListsMax; lists += 1) {
    const numbers = numbersIn(await readAt(file, placeOf(list, sectorBytes), sectorBytes))
    // Its last number is where the next list is.
    list = numbers.pop() ?? none
    tables.push(...numbers)
  }
  return tables
}

function numbersIn(buffer: Buffer): number[] {
  return Array.from({ length: Math.floor(buffer.length / 4) }, (_, i) => buffer.readUInt32LE(i * 4))
}

/** The children of the root are a tree of siblings; what is inside of them is not looked at, since one document may hold another. */
function namesBelowRoot(directory: Buffer): ReadonlySet<string> {
  const entry = (i: number) => directory.subarray(i * entryBytes, (i + 1) * entryBytes)
  const root = entry(0)
  if (root.length < entryBytes) return new Set()
  const names = new Set<string>()
  const seen = new Set<number>()
  const waiting = [root.readUInt32LE(76)]
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
    const each = entry(i)
    if (seen.has(i) || each.length < entryBytes) continue
    seen.add(i)
    names.add(each.toString('utf16le', 0, Math.min(64, Math.max(0, each.readUInt16LE(64) - 2))))
    waiting.push(each.readUInt32LE(68), each.readUInt32LE(72))
  }
  return names
}
