import org.apache.tools.ant.BuildException;
import org.apache.tools.ant.taskdefs.Exit;

/** Ant's {@code fail} in one line, and the end of Maven: bad usage is no exception of a build. pom.xml compiles it. */
public final class Refusal extends Exit {

    private static final int BAD_USAGE = 2;

    @Override
    public void execute() {
        try {
            super.execute();
        } catch (BuildException refused) {
            System.err.println(refused.getMessage());
            System.exit(BAD_USAGE);
        }
    }
}
