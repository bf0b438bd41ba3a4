// Removes the folder of a browser whose last helpers may still write into it: its entries are read anew each time.
import {rmSync} from 'node:fs';

export async function remove(folder) {
  for (let turn = 0; ; ++turn) {
    try {
      return rmSync(folder, {recursive: true, force: true});
    } catch (error) {
      if (turn === 100) throw error;
      await new Promise(r => setTimeout(r, 100));
    }
  }
}
