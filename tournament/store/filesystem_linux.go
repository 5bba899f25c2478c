package store

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// networkKinds are file systems on which SQLite's shared memory does not work between machines, or whose
// locks cannot be trusted, by their magic numbers in statfs(2).
var networkKinds = map[int64]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.AFS_FS_MAGIC:     "AFS",
	unix.CODA_SUPER_MAGIC: "Coda",
	unix.NCP_SUPER_MAGIC:  "NCP",
	unix.V9FS_MAGIC:       "9P",
	unix.CEPH_SUPER_MAGIC: "Ceph",
	0x0bd00bd0:            "Lustre",
	0x47504653:            "GPFS",
}

// fuseKinds are words in the type of a file system in user space that lies elsewhere.
var fuseKinds = []string{"sshfs", "nfs", "smb", "cifs", "dav", "s3", "gcs", "rclone", "gluster", "ceph", "blob"}

// networkFileSystem says whether a directory lies on another machine, and how.
func networkFileSystem(dir string) (kind string, yes bool) {
	var stat unix.Statfs_t
	if unix.Statfs(dir, &stat) != nil {
		return "", false // opening the database will say why
	}
	if kind, yes = networkKinds[int64(stat.Type)]; yes {
		return kind, true
	}
	if stat.Type != unix.FUSE_SUPER_MAGIC {
		return "", false
	}
	kind = mountKind(dir)
	for _, word := range fuseKinds {
		if strings.Contains(kind, word) {
			return kind, true
		}
	}
	return "", false
}

// mountKind is the type of the file system that a directory lies on, such as fuse.sshfs.
func mountKind(dir string) (kind string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	file, err := os.Open("/proc/self/mounts")
	if err != nil {
		return ""
	}
	defer file.Close()
	longest := -1
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 3 {
			continue
		}
		point := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`).Replace(fields[1])
		inside := point == "/" || dir == point || strings.HasPrefix(dir, point+"/")
		if inside && len(point) >= longest {
			longest, kind = len(point), fields[2]
		}
	}
	return kind
}
